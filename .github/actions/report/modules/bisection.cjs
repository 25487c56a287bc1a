// The answer of a search, from the workflow that searched: shown to the pull request of its branch, where there is one.
// The file is untrusted, as every artifact is.
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const artifact = require('./artifact.cjs');
const comment = require('./comment.cjs');
const pullRequest = require('./pull-request.cjs');
const { retrying } = require('./retry.cjs');

const FILE = 'bisect.json';
const LARGEST = 4 * 1024 * 1024;
/** What is left is for the marker and for JSON: the next job gets this as one variable, of 128 KiB at most. */
const MOST_BYTES = 60_000;

/** The run that searched, which is this one. */
function searched(context) {
  const { owner, repo } = context.repo;
  const server = context.serverUrl ?? 'https://github.com';
  const attempt = Number(process.env.GITHUB_RUN_ATTEMPT ?? 1);
  return {
    owner,
    repo,
    id: context.runId,
    attempt,
    headSha: context.sha,
    headBranch: (context.ref ?? '').replace(/^refs\/heads\//, ''),
    headRepository: `${owner}/${repo}`,
    url: `${server}/${owner}/${repo}/actions/runs/${context.runId}`,
  };
}

/** Whether the artifact in a folder is one file of a size to be read. */
function isWhole(folder) {
  if (!fs.existsSync(folder)) return false;
  const names = fs.readdirSync(folder);
  const stat = names.includes(FILE) && fs.lstatSync(path.join(folder, FILE));
  return names.length === 1 && stat.isFile() && stat.size <= LARGEST;
}

/** Looks at the artifacts of the run's attempts, unpacked in `ATTEMPTS`, and moves the newest to `ARTIFACT`. Output:
 * `state`, `result` where there is an answer. */
function check({ context, core, env = process.env }) {
  artifact.take(env, searched(context).attempt);
  core.setOutput('state', isWhole(env.ARTIFACT) ? 'result' : 'absent');
  core.setOutput('rendered', JSON.stringify({ state: 'absent' }));
}

/** Renders the answer in `ARTIFACT` with `RENDERER`. Output: `rendered`. */
function render({ context, core, env = process.env }) {
  const of = path.join(env.ARTIFACT, FILE);
  const run = searched(context);
  try {
    const body = execFileSync(env.RENDERER, ['report', of, '--head', run.headSha, '--format', 'markdown'], {
      encoding: 'utf8',
      maxBuffer: LARGEST,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    const rendered = { state: 'result', body: `${cut(body)}\n[The run](${run.url})\n` };
    core.setOutput('rendered', JSON.stringify(rendered));
  } catch (error) {
    core.info(`no answer: ${String(error.stderr || error.message).split('\n', 1)[0]}`);
  }
}

/** Whole lines of a text, as many as may be handed over. */
function cut(text) {
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  const kept = Buffer.from(text).subarray(0, MOST_BYTES).toString('utf8');
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n\n(cut: bisect.md of the run has all of it)\n`;
}

/** Comments on the pull request of the branch. Inputs: `RENDERED`, the output of the other job, and `AUTHOR`, the login
 * that this token writes as. */
async function post({ github, context, core, env = process.env, world }) {
  const run = searched(context);
  const { state, body } = JSON.parse(env.RENDERED || '{}');
  if (state !== 'result') {
    core.info('no comment: the search left no answer, and the summary of the run says why');
    return;
  }
  const again = retrying(core, world);
  const pull = await again(() => pullRequest.find(github, run));
  if (pull.number === null) {
    core.info(`no comment: ${pull.reason}`);
    return;
  }
  const of = { ...run, number: pull.number, author: env.AUTHOR, run, body };
  core.info(`comment: ${await again(() => comment.append(github, of))}`);
}

module.exports = { check, post, render };
