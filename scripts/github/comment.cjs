// One comment per pull request, kept up to date.
'use strict';

/** GitHub refuses more characters than these. */
const LIMIT = 65_536;
const MARKER = /^<!-- benchgate run=(\d{1,15}) attempt=(\d{1,6}) -->/;
const CUT = '\n\n(cut: GitHub takes no longer comment)\n';

/** @typedef {{id: number, attempt: number}} Run */

/** The first line of our comment: which run wrote it. */
function marker({ id, attempt }) {
  return `<!-- benchgate run=${id} attempt=${attempt} -->`;
}

/** @returns {Run | null} the run that wrote a comment, where it begins with our marker */
function writtenBy(body) {
  const found = MARKER.exec(body ?? '');
  return found && { id: Number(found[1]), attempt: Number(found[2]) };
}

/** Whether run `a` came after run `b`. */
function isNewer(a, b) {
  return a.id !== b.id ? a.id > b.id : a.attempt > b.attempt;
}

/** The whole text of a comment. */
function text(run, body) {
  const whole = `${marker(run)}\n${body}`;
  if (whole.length <= LIMIT) return whole;
  return `${whole.slice(0, LIMIT - CUT.length).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
}

/**
 * Our comments: of this author **and** beginning with the marker. Anybody can write a marker, and the
 * author writes other comments too.
 *
 * @returns {{id: number, run: Run}[]} oldest first
 */
function ours(comments, author) {
  return comments
    .filter((comment) => comment.user?.login === author)
    .map((comment) => ({ id: comment.id, run: writtenBy(comment.body) }))
    .filter((comment) => comment.run !== null)
    .sort((a, b) => a.id - b.id);
}

/**
 * Creates the comment or updates it in place; leaves the comment of a newer run alone. It looks before
 * it writes, so that it may be called again after an answer was lost.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, number: number, author: string, run: Run, body: string}} of
 * @returns {Promise<'created' | 'updated' | 'superseded'>}
 */
async function upsert(github, { owner, repo, number, author, run, body }) {
  const { issues } = github.rest;
  const at = { owner, repo };
  const all = await github.paginate(issues.listComments, { ...at, issue_number: number, per_page: 100 });
  const [first, ...others] = ours(all, author);
  if (!first) {
    await issues.createComment({ ...at, issue_number: number, body: text(run, body) });
    return 'created';
  }
  if ([first, ...others].some((comment) => isNewer(comment.run, run))) return 'superseded';
  await issues.updateComment({ ...at, comment_id: first.id, body: text(run, body) });
  // Two reports that ran at once both found none.
  for (const { id } of others) await issues.deleteComment({ ...at, comment_id: id });
  return 'updated';
}

module.exports = { LIMIT, isNewer, marker, ours, text, upsert, writtenBy };
