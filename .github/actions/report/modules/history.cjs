// The record of a run on the branch benchgate-history: one file, written once (docs/investigate.md). No force: of two
// writers the one that is late reads the branch again, and nothing is lost.
'use strict';

const { createHash } = require('node:crypto');

const BRANCH = 'benchgate-history';
const SCHEMA = 'benchgate.history/1';
const MOST_ATTEMPTS = 20;
const MONTH = /^\d{4}-\d{2}$/;

/** @returns {string} what is wrong with a record of this commit, or nothing */
function problem(text, sha) {
  try {
    const { schema, commit } = JSON.parse(text);
    if (schema !== SCHEMA) return `its schema is not ${SCHEMA}`;
    return commit === sha ? '' : 'it is of another commit';
  } catch {
    return 'it is not JSON';
  }
}

/** The path of a record, and its content: the same for the same record. */
function file(text) {
  const { commit, time } = JSON.parse(text);
  const month = MONTH.test(String(time).slice(0, 7)) ? time.slice(0, 7) : '9999-99';
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return {
    path: `runs/${month}/${commit}-${digest}.json`,
    content: Buffer.from(text).toString('base64'),
  };
}

/**
 * Adds a record to the branch.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, text: string}} of
 * @param {{sleep: (seconds: number) => Promise<void>}} [world]
 */
async function append(github, { owner, repo, text }, world) {
  const { git } = github.rest;
  const at = { owner, repo };
  const sleep = world?.sleep ?? ((seconds) => new Promise((done) => setTimeout(done, seconds * 1000)));
  const { path, content } = file(text);
  const { data: blob } = await git.createBlob({ ...at, content, encoding: 'base64' });
  for (let attempt = 1; ; attempt += 1) {
    const tip = await found(git, at);
    const base = tip && (await git.getCommit({ ...at, commit_sha: tip })).data.tree.sha;
    const entry = { path, mode: '100644', type: 'blob', sha: blob.sha };
    const tree = await git.createTree({ ...at, ...(base ? { base_tree: base } : {}), tree: [entry] });
    const message = `Record ${JSON.parse(text).commit}`;
    const parents = tip ? [tip] : [];
    const { data: commit } = await git.createCommit({ ...at, message, tree: tree.data.sha, parents });
    try {
      if (tip) await git.updateRef({ ...at, ref: `heads/${BRANCH}`, sha: commit.sha, force: false });
      else await git.createRef({ ...at, ref: `refs/heads/${BRANCH}`, sha: commit.sha });
      return path;
    } catch (error) {
      // Another writer was first: no fast-forward, or the branch is there now.
      if (error.status !== 422 || attempt >= MOST_ATTEMPTS) throw error;
      await sleep(attempt % 3);
    }
  }
}

async function found(git, at) {
  try {
    return (await git.getRef({ ...at, ref: `heads/${BRANCH}` })).data.object.sha;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

module.exports = { BRANCH, append, file, problem };
