// The commit status `benchgate`: the verdict in one line, and where to read more.
'use strict';

const CONTEXT = 'benchgate';
/** GitHub refuses more characters than these. */
const LIMIT = 140;

/** One line of at most {@link LIMIT} characters. */
function description(line) {
  const plain = line.replace(/\s+/g, ' ').trim();
  return plain.length <= LIMIT ? plain : `${plain.slice(0, LIMIT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, sha: string, state: string, line: string, url: string}} of
 */
async function set(github, { owner, repo, sha, state, line, url }) {
  await github.rest.repos.createCommitStatus({
    owner,
    repo,
    sha,
    state,
    context: CONTEXT,
    description: description(line),
    target_url: url,
  });
}

module.exports = { CONTEXT, LIMIT, description, set };
