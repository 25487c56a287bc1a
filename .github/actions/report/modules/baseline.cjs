// Proposes measured baselines as a pull request. It writes below `baselines/` and nowhere else, on a branch
// of its own.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { newest } = require('./artifact.cjs');
const { block } = require('./block.cjs');
const { escaped } = require('./outcome.cjs');
const { retrying } = require('./retry.cjs');

const NAME = /^baselines\/[a-z0-9][a-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.json$/;
const SCHEMA = 'benchgate.baseline/1';
const MOST_FILES = 200;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The files of the artifact, checked: regular, of a size to be read, baselines by name and by schema.
 *
 * @param {string} folder
 * @returns {{path: string, content: string}[]} sorted by path
 */
function files(folder) {
  const names = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => name !== 'change.txt' && name !== 'drift.txt')
    .sort();
  if (names.length > MOST_FILES) throw new Error(`${names.length} files, more than ${MOST_FILES}`);
  return names.map((name) => {
    if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a baseline`);
    const file = path.join(folder, name);
    const stat = fs.lstatSync(file);
    if (!stat.isFile()) throw new Error(`${name} is not a regular file`);
    if (stat.size > MOST_BYTES) throw new Error(`${name} has ${stat.size} bytes, more than ${MOST_BYTES}`);
    const content = fs.readFileSync(file, 'utf8');
    if (JSON.parse(content).benchgate?.schema !== SCHEMA) throw new Error(`${name} is not of ${SCHEMA}`);
    return { path: name, content };
  });
}

/** @returns {string} the text of the pull request */
function body({ sha, reason, change, drift, runUrl }) {
  return [
    `Baselines of ${sha}, measured by [this run](${runUrl}).${reason ? ` Reason: ${escaped(reason)}` : ''}`,
    'They say where later changes are screened; they make no gate green or red by themselves. ' +
      'Workflows do not start for a pull request that a workflow opened: close it and open it again.',
    `### Before and after\n\n${block(change)}`,
    `### Since the last release\n\nWhat small steps add up to.\n\n${block(drift)}`,
  ].join('\n\n');
}

/** A commit of the files on top of `sha`, on a new branch. */
async function push(github, { owner, repo, sha, branch, message, folder, files: all }) {
  const { git } = github.rest;
  const at = { owner, repo };
  const { data: parent } = await git.getCommit({ ...at, commit_sha: sha });
  const tree = all.map((file) => ({
    path: path.posix.join(folder, file.path),
    mode: '100644',
    type: 'blob',
    content: file.content,
  }));
  const { data: made } = await git.createTree({ ...at, base_tree: parent.tree.sha, tree });
  const { data: commit } = await git.createCommit({ ...at, message, tree: made.sha, parents: [sha] });
  try {
    await git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: commit.sha });
  } catch (error) {
    // An attempt before this one made the branch, and then no pull request.
    if (error.status !== 422) throw error;
    await git.updateRef({ ...at, ref: `heads/${branch}`, sha: commit.sha, force: true });
  }
}

/** Inputs from the environment: `ARTIFACT`, a folder with the artifacts of the run's attempts, `WORKSPACE`, that of the
 * Cargo workspace in the repository, and `REASON`. */
async function propose({ github, context, core, env = process.env, world }) {
  const { folder: measured } = newest(env.ARTIFACT, Number(env.GITHUB_RUN_ATTEMPT ?? 1));
  const all = files(measured);
  if (all.length === 0) {
    core.info('the baselines are as they were');
    return null;
  }
  const { owner, repo } = context.repo;
  const server = context.serverUrl ?? 'https://github.com';
  const machine = all[0].path.split('/')[1];
  const branch = `baseline/${machine}-${context.sha.slice(0, 10)}-${context.runId}`;
  const title = `Baselines of ${machine} at ${context.sha.slice(0, 10)}`;
  const text = body({
    sha: context.sha,
    reason: env.REASON ?? '',
    change: fs.readFileSync(path.join(measured, 'change.txt'), 'utf8'),
    drift: fs.readFileSync(path.join(measured, 'drift.txt'), 'utf8'),
    runUrl: `${server}/${owner}/${repo}/actions/runs/${context.runId}`,
  });
  const base = context.payload.repository.default_branch;
  const folder = path.posix.normalize(env.WORKSPACE || '.');
  if (path.posix.isAbsolute(folder) || folder.split('/').includes('..')) {
    throw new Error(`workspace: ${JSON.stringify(folder)} is not a folder of the repository`);
  }
  await push(github, { owner, repo, sha: context.sha, branch, message: title, folder, files: all });
  const again = retrying(core, world);
  const { data: pull } = await again(() =>
    github.rest.pulls.create({ owner, repo, title, head: branch, base, body: text }),
  );
  core.info(`pull request #${pull.number}`);
  return pull.number;
}

module.exports = { body, files, propose };
