// The commit status `benchgate`: the verdict in one line, and where to read more.
'use strict';

const { isNewer } = require('./comment.cjs');

const CONTEXT = 'benchgate';
/** GitHub refuses more characters than these. */
const LIMIT = 140;
const RUN = /\/actions\/runs\/(\d{1,15})\/attempts\/(\d{1,6})$/;

/** One line of at most {@link LIMIT} characters, which ends with the attempt from the second on. */
function description(line, attempt = 1) {
  const end = attempt > 1 ? ` (attempt ${attempt})` : '';
  const plain = line.replace(/\s+/g, ' ').trim();
  const room = LIMIT - end.length;
  const shown = plain.length <= room ? plain : `${plain.slice(0, room - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  return shown + end;
}

/**
 * The name of the status. One commit has one status of a name, and may be the head of pull requests onto
 * several branches: what is required for the default branch is never set by one onto another.
 */
function contextOf({ baseRef, defaultBranch }) {
  return !baseRef || baseRef === defaultBranch ? CONTEXT : `${CONTEXT} (onto ${baseRef})`.slice(0, 200);
}

/**
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, sha: string, context: string, state: string, line: string,
 *          attempt: number, url: string}} of
 */
async function set(github, { owner, repo, sha, context, state, line, attempt, url }) {
  await github.rest.repos.createCommitStatus({
    owner,
    repo,
    sha,
    state,
    context,
    description: description(line, attempt),
    target_url: url,
  });
}

/**
 * Sets *pending*, unless this run or a newer one has answered: events of a run may arrive in any order.
 *
 * @returns {Promise<'set' | 'answered'>}
 */
async function pending(github, { run, ...of }) {
  const { owner, repo, sha, context } = of;
  const { data } = await github.rest.repos.listCommitStatusesForRef({ owner, repo, ref: sha, per_page: 100 });
  // Newest first.
  const last = data.find((status) => status.context === context);
  const answered = last && RUN.exec(last.target_url ?? '');
  if (answered) {
    const by = { id: Number(answered[1]), attempt: Number(answered[2]) };
    const isOurs = by.id === run.id && by.attempt === run.attempt;
    if (isNewer(by, run) || (isOurs && last.state !== 'pending')) return 'answered';
  }
  await set(github, { ...of, state: 'pending' });
  return 'set';
}

module.exports = { CONTEXT, LIMIT, contextOf, description, pending, set };
