// Which pull request a workflow run is of. `workflow_run.pull_requests` is empty for forks, and a number
// in the artifact is untrusted: only the commit that GitHub names counts.
'use strict';

/**
 * @typedef {{number: number | null, baseRef: string, doubts: string[], reason: string}} Found
 * `doubts`: why a green result is not that of this pull request.
 */

/**
 * The open pull request whose head is the commit of the run, in the repository that the run came from.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, headSha: string, headRepository: string | null,
 *          headBranch: string | null, base?: string, baseRef?: string}} of `base` and `baseRef`: the base
 *          that the run recorded, used only to choose between pull requests that all have this head
 * @returns {Promise<Found>}
 */
async function find(github, { owner, repo, headSha, headRepository, headBranch, base = '', baseRef = '' }) {
  // A closed one counts as well: it had its run, and the commit keeps the status.
  const query = { owner, repo, state: 'all', per_page: 100 };
  if (headRepository && headBranch) query.head = `${headRepository.split('/', 1)[0]}:${headBranch}`;
  const all = await github.paginate(github.rest.pulls.list, query);
  return choose(all, { headSha, headRepository, base, baseRef });
}

/** @returns {Found} */
function choose(all, { headSha, headRepository, base = '', baseRef = '' }) {
  const none = (reason) => ({ number: null, baseRef: '', doubts: [], reason });
  const same = all.filter(
    (pull) =>
      pull.head.sha === headSha &&
      // A fork that is gone has no repository any more.
      (!headRepository || !pull.head.repo || pull.head.repo.full_name === headRepository),
  );
  const open = same.filter((pull) => pull.state === 'open');
  if (open.length === 0)
    return none(`no open pull request has the head ${headSha}: it moved on or was closed`);
  const chosen = only(open) ?? only(open, (pull) => pull.base.ref === baseRef);
  const pull = chosen ?? only(open, (one) => one.base.sha === base);
  if (!pull) {
    const numbers = open.map((one) => `#${one.number}`).join(', ');
    return none(`${numbers} all have the head ${headSha}: none is chosen`);
  }
  const doubts = [];
  const elsewhere = same.find((one) => one.base.ref !== pull.base.ref);
  if (elsewhere) {
    doubts.push(`#${elsewhere.number} is of the same commit onto another branch; push another commit`);
  }
  if (baseRef && baseRef !== pull.base.ref) {
    doubts.push('the base branch was changed after this was measured; run it again');
  }
  return { number: pull.number, baseRef: pull.base.ref, doubts, reason: '' };
}

/** The only one that is wanted. */
function only(pulls, wanted = () => true) {
  const found = pulls.filter(wanted);
  return found.length === 1 ? found[0] : null;
}

module.exports = { choose, find };
