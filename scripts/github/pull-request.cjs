// Which pull request a workflow run is of. `workflow_run.pull_requests` is empty for forks, and a number
// in the artifact is untrusted: only the commit that GitHub names counts.
'use strict';

/**
 * The open pull request whose head is the commit of the run, in the repository that the run came from.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, headSha: string, headRepository: string | null,
 *          headBranch: string | null, base?: string}} of `base`: the base commit that the run recorded,
 *          used only to choose between pull requests that all have this head
 * @returns {Promise<{number: number | null, reason: string}>}
 */
async function find(github, { owner, repo, headSha, headRepository, headBranch, base = '' }) {
  const query = { owner, repo, state: 'open', per_page: 100 };
  if (headRepository && headBranch) query.head = `${headRepository.split('/', 1)[0]}:${headBranch}`;
  const open = await github.paginate(github.rest.pulls.list, query);
  return choose(open, { headSha, headRepository, base });
}

/** @returns {{number: number | null, reason: string}} */
function choose(open, { headSha, headRepository, base = '' }) {
  const same = open.filter(
    (pull) =>
      pull.head.sha === headSha &&
      // A fork that is gone has no repository any more.
      (!headRepository || !pull.head.repo || pull.head.repo.full_name === headRepository),
  );
  if (same.length === 1) return { number: same[0].number, reason: '' };
  if (same.length === 0) {
    return {
      number: null,
      reason: `no open pull request has the head ${headSha}: it moved on or was closed`,
    };
  }
  const based = same.filter((pull) => pull.base.sha === base);
  if (based.length === 1) return { number: based[0].number, reason: '' };
  const numbers = same.map((pull) => `#${pull.number}`).join(', ');
  return { number: null, reason: `${numbers} all have the head ${headSha}: none is chosen` };
}

module.exports = { choose, find };
