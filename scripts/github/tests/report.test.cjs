'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { check, post, renderResult } = require('../report.cjs');
const { text } = require('../comment.cjs');
const { SUMMARY_SCHEMA } = require('../constants.cjs');
const { SHA, fakeCore, fakeGitHub, fakeWorld, pull } = require('./fake.cjs');

const BOT = 'github-actions[bot]';

function context(run = {}) {
  return {
    repo: { owner: 'o', repo: 'r' },
    serverUrl: 'https://github.com',
    payload: {
      workflow_run: {
        id: 77,
        run_attempt: 2,
        event: 'pull_request',
        conclusion: 'failure',
        head_sha: SHA,
        head_branch: 'topic',
        head_repository: { full_name: 'o/r' },
        ...run,
      },
    },
  };
}

const RED = {
  STATE: 'result',
  VERDICT: 'regression',
  LINE: 'regression: proven slower: 1 benchmark',
  BODY: '## red\n',
  EXIT: '100',
  AUTHOR: BOT,
};

async function posted(api, { run, env = RED } = {}) {
  const core = fakeCore();
  const world = fakeWorld();
  await post({ github: api.github, context: context(run), core, env, world });
  return { core, world };
}

test('a red run gets its comment and its status', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  await posted(api);
  assert.deepEqual(
    api.comments.map((c) => [c.issue, c.body]),
    [[5, text({ id: 77, attempt: 2 }, '## red\n')]],
  );
  assert.deepEqual(
    api.statuses.map((s) => [s.sha, s.state, s.description, s.target_url]),
    [[SHA, 'failure', RED.LINE, 'https://github.com/o/r/actions/runs/77/attempts/2']],
  );
});

test('a fork that was not measured gets the reason', async () => {
  const api = fakeGitHub({ pulls: [pull(6, { repo: 'outsider/r' })] });
  await posted(api, {
    run: { head_repository: { full_name: 'outsider/r' } },
    env: { STATE: 'absent', REASON: '', EXIT: '', AUTHOR: BOT },
  });
  assert.match(api.comments[0].body, /not measured: from a fork/);
  assert.equal(api.statuses[0].state, 'error');
});

test('a merge queue has a status and no comment', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  await posted(api, {
    run: { event: 'merge_group', conclusion: 'success' },
    env: { ...RED, VERDICT: 'pass', LINE: 'pass: fine' },
  });
  assert.equal(api.comments.length, 0);
  assert.equal(api.statuses[0].state, 'success');
});

test('a commit that the pull request moved on from gets a status and no comment', async () => {
  const api = fakeGitHub({ pulls: [pull(5, { sha: 'c3'.repeat(20) })] });
  await posted(api);
  assert.equal(api.comments.length, 0);
  assert.equal(api.statuses.length, 1);
});

test('a newer run keeps its comment and its status', async () => {
  const newer = { id: 1, issue: 5, user: { login: BOT }, body: text({ id: 78, attempt: 1 }, 'newer') };
  const api = fakeGitHub({ pulls: [pull(5)], comments: [newer] });
  await posted(api);
  assert.match(newer.body, /newer$/);
  assert.equal(api.statuses.length, 0);
});

test('limits and failures of the server are waited out', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  api.fail('pulls.list', 403, { 'retry-after': '2' });
  api.fail('issues.listComments', 500);
  api.fail('issues.createComment', 429, { 'retry-after': '3' });
  api.fail('repos.createCommitStatus', 503);
  const { world, core } = await posted(api);
  assert.equal(api.comments.length, 1);
  assert.equal(api.statuses.length, 1);
  assert.deepEqual(world.slept, [2, 1, 3, 1]);
  assert.deepEqual(
    core.lines.filter((line) => line.startsWith('warning')),
    [],
  );
});

test('a comment that may not be written is a warning, and the status is set', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  api.fail('issues.createComment', 403, {}, { message: 'Resource not accessible by integration' });
  const { core } = await posted(api);
  assert.equal(api.count('issues.createComment'), 1);
  assert.equal(api.statuses.length, 1);
  assert.deepEqual(
    core.lines.filter((line) => /^(warning|failed)/.test(line)),
    ['warning: the comment could not be posted: 403 Resource not accessible by integration'],
  );
});

test('a 404 is not repeated', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  api.fail('issues.listComments', 404);
  await posted(api);
  assert.equal(api.count('issues.listComments'), 1);
});

test('when nothing could be posted, the job fails', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  api.fail('pulls.list', 401);
  api.fail('repos.createCommitStatus', 401);
  const { core } = await posted(api);
  assert.equal(core.lines.at(-1), 'failed: neither the comment nor the status could be posted');
});

// The renderer itself is tested where it is written; here only how it is called and believed.
function artifact(t, { exit, renderer }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-report-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const at = (name) => path.join(folder, name);
  fs.mkdirSync(at('artifact'));
  fs.writeFileSync(at('artifact/result.json'), '{}');
  const run = { schema: 'benchgate.run/1', exit, head_sha: SHA, base_sha: '', event: 'pull_request' };
  fs.writeFileSync(at('artifact/run.json'), JSON.stringify(run));
  fs.writeFileSync(at('renderer'), `#!/bin/sh\n${renderer}\n`, { mode: 0o755 });
  return { ARTIFACT: at('artifact'), RENDERER: at('renderer') };
}

function rendered(t, of) {
  const env = artifact(t, of);
  const checked = fakeCore();
  check({ context: context(), core: checked, env });
  const core = fakeCore();
  renderResult({ context: context(), core, env: { ...env, EXIT: checked.outputs.exit } });
  return core.outputs;
}

/** A renderer that prints this summary, and of a comment its own call. */
function renders(summary) {
  const json = JSON.stringify(summary);
  return `case "$*" in *"--format summary"*) echo '${json}' ;; *) echo "$*" ;; esac`;
}

test('a checked result is rendered for its commit and its run', (t) => {
  const { state, verdict, line, body } = rendered(t, {
    exit: 100,
    renderer: renders({ schema: SUMMARY_SCHEMA, verdict: 'regression', line: 'regression: it is slower' }),
  });
  assert.equal(state, 'result');
  assert.equal(verdict, 'regression');
  assert.equal(line, 'regression: it is slower');
  const call = `--head ${SHA} --format github --run-url https://github.com/o/r/actions/runs/77/attempts/2 --max-bytes 65000\n`;
  assert.ok(body.endsWith(call), body);
});

test('what the renderer refuses is refused, in its words', (t) => {
  const renderer = 'echo "error: $2: benchmarks[0].base: NaN must be > 0" >&2; echo "help: x" >&2; exit 101';
  assert.deepEqual(rendered(t, { exit: 100, renderer }), {
    state: 'refused',
    reason: 'result.json: benchmarks[0].base: NaN must be > 0',
  });
});

test('a verdict that is not the exit code is refused', (t) => {
  const renderer = renders({ schema: SUMMARY_SCHEMA, verdict: 'pass', line: 'regression: so it says' });
  assert.deepEqual(rendered(t, { exit: 100, renderer }), {
    state: 'refused',
    reason: 'its verdict is pass, and measuring ended with exit 100',
  });
});

test('a summary of another schema, or with an unknown verdict, is refused', (t) => {
  for (const summary of [
    { schema: 'benchgate.summary/999', verdict: 'pass', line: 'pass: fine' },
    { schema: SUMMARY_SCHEMA, verdict: 'splendid', line: 'splendid: trust me' },
    { schema: SUMMARY_SCHEMA, verdict: 'toString', line: 'toString: trust me' },
    { schema: SUMMARY_SCHEMA, verdict: 'pass' },
  ]) {
    const { state, reason } = rendered(t, { exit: 0, renderer: renders(summary) });
    assert.equal(state, 'refused');
    assert.match(reason, /not of the schema benchgate\.summary/);
  }
  assert.equal(rendered(t, { exit: 0, renderer: 'echo "pass: all is well"' }).state, 'refused');
});
