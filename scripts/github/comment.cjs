// One comment per pull request, kept up to date, and one for each search.
'use strict';

/** GitHub refuses more characters than these. */
const LIMIT = 65_536;
/** What a comment is of. */
const GATE = 'benchgate';
const SEARCH = 'benchgate-bisect';
const MARKER = /^<!-- (benchgate|benchgate-bisect) run=(\d{1,15}) attempt=(\d{1,6}) -->/;
const CUT = '\n\n(cut: GitHub takes no longer comment)\n';

/** @typedef {{id: number, attempt: number}} Run */

/** The first line of our comment: which run wrote it. */
function marker({ id, attempt }, kind = GATE) {
  return `<!-- ${kind} run=${id} attempt=${attempt} -->`;
}

/** @returns {Run | null} the run that wrote a comment, where it begins with our marker */
function writtenBy(body, kind = GATE) {
  const found = MARKER.exec(body ?? '');
  return found?.[1] === kind ? { id: Number(found[2]), attempt: Number(found[3]) } : null;
}

/** Whether run `a` came after run `b`. */
function isNewer(a, b) {
  return a.id !== b.id ? a.id > b.id : a.attempt > b.attempt;
}

/** The whole text of a comment. */
function text(run, body, kind = GATE) {
  const whole = `${marker(run, kind)}\n${body}`;
  if (whole.length <= LIMIT) return whole;
  return `${whole.slice(0, LIMIT - CUT.length).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
}

/**
 * Our comments: of this author **and** beginning with the marker. Anybody can write a marker, and the
 * author writes other comments too.
 *
 * @returns {{id: number, run: Run}[]} oldest first
 */
function ours(comments, author, kind = GATE) {
  return comments
    .filter((comment) => comment.user?.login === author)
    .map((comment) => ({ id: comment.id, run: writtenBy(comment.body, kind) }))
    .filter((comment) => comment.run !== null)
    .sort((a, b) => a.id - b.id);
}

/**
 * Creates the comment or updates it in place; leaves the comment of a newer run alone. It looks before
 * it writes, so that it may be called again after an answer was lost, and after it created one: reports of
 * two commits run at once.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, number: number, author: string, run: Run, body: string}} of
 * @returns {Promise<'created' | 'updated' | 'superseded'>}
 */
async function upsert(github, { owner, repo, number, author, run, body }) {
  const { issues } = github.rest;
  const at = { owner, repo };
  const list = async () =>
    ours(await github.paginate(issues.listComments, { ...at, issue_number: number, per_page: 100 }), author);
  const written = text(run, body);
  const found = await list();
  if (found.some((comment) => isNewer(comment.run, run))) return 'superseded';
  if (found.length > 0) await issues.updateComment({ ...at, comment_id: found[0].id, body: written });
  else await issues.createComment({ ...at, issue_number: number, body: written });
  // Two reports that ran at once both found none: that of the newest run stays, and of equals the first.
  const now = await list();
  const keep = now.reduce((best, comment) => (isNewer(comment.run, best.run) ? comment : best), now[0]);
  for (const { id } of now.filter((comment) => comment !== keep)) {
    await issues.deleteComment({ ...at, comment_id: id });
  }
  return found.length > 0 ? 'updated' : 'created';
}

/**
 * Creates the comment of a search; another attempt of the same run updates it.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, number: number, author: string, run: Run, body: string}} of
 * @returns {Promise<'created' | 'updated'>}
 */
async function append(github, { owner, repo, number, author, run, body }) {
  const { issues } = github.rest;
  const at = { owner, repo };
  const all = await github.paginate(issues.listComments, { ...at, issue_number: number, per_page: 100 });
  const before = ours(all, author, SEARCH).find((comment) => comment.run.id === run.id);
  const written = text(run, body, SEARCH);
  if (before) await issues.updateComment({ ...at, comment_id: before.id, body: written });
  else await issues.createComment({ ...at, issue_number: number, body: written });
  return before ? 'updated' : 'created';
}

module.exports = { LIMIT, append, isNewer, marker, ours, text, upsert, writtenBy };
