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
 * several branches and be measured by several gates: what is required for the default branch is never set by a pull
 * request onto another, by a push to another, which is compared with the push before, by another gate, or by a run of
 * a fork.
 *
 * @param {{gate?: string, baseRef?: string, defaultBranch: string, event?: string, headBranch?: string | null,
 *          isOfFork?: boolean}} of
 */
function contextOf({
  gate = '',
  baseRef = '',
  defaultBranch,
  event = '',
  headBranch = '',
  isOfFork = false,
}) {
  const parts = [
    gate,
    isOfFork ? 'fork' : '',
    baseRef && baseRef !== defaultBranch ? `onto ${baseRef}` : '',
    event === 'push' && headBranch !== defaultBranch ? `push to ${headBranch}` : '',
  ].filter(Boolean);
  return parts.length === 0 ? CONTEXT : `${CONTEXT} (${parts.join(', ')})`.slice(0, 200);
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

/** The newest status of this name, and the run that set it; null where there is none of a run. */
async function newest(github, { owner, repo, sha, context }) {
  const query = { owner, repo, ref: sha, per_page: 100 };
  const all = await github.paginate(github.rest.repos.listCommitStatusesForRef, query);
  // Newest first.
  const last = all.find((status) => status.context === context);
  const run = last && RUN.exec(last.target_url ?? '');
  return run ? { state: last.state, by: { id: Number(run[1]), attempt: Number(run[2]) } } : null;
}

/**
 * Sets *pending*, unless this run or a newer one has answered: events of a run may arrive in any order.
 *
 * @returns {Promise<'set' | 'answered'>}
 */
async function pending(github, { run, ...of }) {
  const last = await newest(github, of);
  if (last) {
    const { by, state } = last;
    const isOurs = by.id === run.id && by.attempt === run.attempt;
    if (isNewer(by, run) || (isOurs && state !== 'pending')) return 'answered';
  }
  await set(github, { ...of, state: 'pending' });
  return 'set';
}

/**
 * Sets the answer of a run, unless a newer run has set a status of this commit and this name.
 *
 * @returns {Promise<'set' | 'superseded'>}
 */
async function settle(github, { run, ...of }) {
  const last = await newest(github, of);
  if (last && isNewer(last.by, run)) return 'superseded';
  await set(github, of);
  return 'set';
}

module.exports = { CONTEXT, LIMIT, contextOf, description, pending, set, settle };
