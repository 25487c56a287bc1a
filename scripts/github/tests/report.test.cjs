'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { check, pending, post, renderPage, renderResult } = require('../report.cjs');
const { text } = require('../comment.cjs');
const { RUN_SCHEMA, SUMMARY_SCHEMA } = require('../constants.cjs');
const { SHA, fakeCore, fakeGitHub, fakeWorld, pull } = require('./fake.cjs');

const BOT = 'github-actions[bot]';
const WORKFLOW = '.github/workflows/bench.yml';

function context(run = {}, action = 'completed') {
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
        path: '.github/workflows/bench.yml',
        actor: { type: 'User' },
        ...run,
      },
      repository: { default_branch: 'main' },
      action,
    },
  };
}

const RED = {
  state: 'result',
  verdict: 'regression',
  line: 'regression: proven slower: 1 benchmark',
  body: '## red\n',
  exit: 100,
  attempt: 2,
  doubts: [],
};

async function posted(api, { run, found = RED } = {}) {
  const core = fakeCore();
  const world = fakeWorld();
  const env = { AUTHOR: BOT, RENDERED: typeof found === 'string' ? found : JSON.stringify(found) };
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
    [[SHA, 'failure', `${RED.line} (attempt 2)`, 'https://github.com/o/r/actions/runs/77/attempts/2']],
  );
});

test('a fork that was not measured gets the reason', async () => {
  const api = fakeGitHub({ pulls: [pull(6, { repo: 'outsider/r' })] });
  await posted(api, {
    run: { head_repository: { full_name: 'outsider/r' } },
    found: { state: 'absent', reason: '', exit: null, doubts: [] },
  });
  assert.match(api.comments[0].body, /not measured: from a fork/);
  assert.equal(api.statuses[0].state, 'error');
});

test('a merge queue has a status and no comment', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  await posted(api, {
    run: { event: 'merge_group', conclusion: 'success' },
    found: { ...RED, verdict: 'pass', line: 'pass: fine' },
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
  const of = { head_sha: SHA, base_sha: '', base_ref: 'main', event: 'pull_request', run_id: 77, attempt: 2 };
  const run = { schema: RUN_SCHEMA, exit, ...of };
  fs.writeFileSync(at('artifact/run.json'), JSON.stringify(run));
  fs.writeFileSync(at('renderer'), `#!/bin/sh\n${renderer}\n`, { mode: 0o755 });
  return { ARTIFACT: at('artifact'), RENDERER: at('renderer'), WORKFLOW };
}

async function checked(env, { api = fakeGitHub(), run } = {}) {
  const core = fakeCore();
  await check({ github: api.github, context: context(run), core, env, world: fakeWorld() });
  return { state: core.outputs.state, ...JSON.parse(core.outputs.rendered) };
}

async function rendered(t, { pageUrl = '', ...of }) {
  const env = { ...artifact(t, of), PAGE_URL: pageUrl };
  const core = fakeCore();
  const found = await checked(env);
  renderResult({ context: context(), core, env: { ...env, CHECKED: JSON.stringify(found) } });
  return JSON.parse(core.outputs.rendered);
}

/** A renderer that prints this summary, and of a comment its own call. */
function renders(summary) {
  const json = JSON.stringify(summary);
  return `case "$*" in *"--format summary"*) echo '${json}' ;; *) echo "$*" ;; esac`;
}

test('a checked result is rendered for its commit and its run', async (t) => {
  const { state, verdict, line, body } = await rendered(t, {
    exit: 100,
    renderer: renders({ schema: SUMMARY_SCHEMA, verdict: 'regression', line: 'regression: it is slower' }),
  });
  assert.equal(state, 'result');
  assert.equal(verdict, 'regression');
  assert.equal(line, 'regression: it is slower');
  const call = `--head ${SHA} --format github --run-url https://github.com/o/r/actions/runs/77/attempts/2 --max-bytes 60000\n`;
  assert.ok(body.endsWith(call), body);
});

test('the comment links the page where it could be uploaded', async (t) => {
  const summary = { schema: SUMMARY_SCHEMA, verdict: 'regression', line: 'regression: it is slower' };
  const pageUrl = 'https://github.com/o/r/actions/runs/78/artifacts/9';
  const { body } = await rendered(t, { exit: 100, renderer: renders(summary), pageUrl });
  assert.ok(body.includes(`--page-url ${pageUrl} `), body);
});

async function renderedPage(t, renderer, more = {}) {
  const env = { ...artifact(t, { exit: 100, renderer }), ...more };
  const core = fakeCore();
  const CHECKED = JSON.stringify(await checked(env));
  const PAGE = path.join(env.ARTIFACT, '../pages/benchgate.html');
  renderPage({ context: context(), core, env: { ...env, CHECKED, PAGE } });
  return { page: fs.existsSync(PAGE) && fs.readFileSync(PAGE, 'utf8'), core };
}

test('the page is the renderer’s, of this commit and this run', async (t) => {
  const { page, core } = await renderedPage(t, 'echo "$*"');
  assert.match(
    page,
    new RegExp(`--head ${SHA} --format html --run-url https://github.com/o/r/actions/runs/77/`),
  );
  assert.equal(core.outputs.written, 'true');
});

test('the page is rendered where the history is, and without one where there is none', async (t) => {
  const HISTORY = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-history-')));
  t.after(() => fs.rmSync(HISTORY, { recursive: true, force: true }));
  assert.equal((await renderedPage(t, 'pwd', { HISTORY })).page, `${HISTORY}\n`);
  const none = path.join(HISTORY, 'none');
  assert.equal((await renderedPage(t, 'pwd', { HISTORY: none })).page, `${process.cwd()}\n`);
});

test('a result that the renderer refuses has no page', async (t) => {
  const { page, core } = await renderedPage(t, 'echo "error: $2: no" >&2; exit 101');
  assert.equal(page, false);
  assert.equal(core.outputs.written, 'false');
  assert.ok(core.lines.some((line) => line.includes('no page: result.json: no')));
});

test('what the renderer refuses is refused, in its words', async (t) => {
  const renderer = 'echo "error: $2: benchmarks[0].base: NaN must be > 0" >&2; echo "help: x" >&2; exit 101';
  const { state, reason } = await rendered(t, { exit: 100, renderer });
  assert.deepEqual(
    { state, reason },
    {
      state: 'refused',
      reason: 'result.json: benchmarks[0].base: NaN must be > 0',
    },
  );
});

test('a verdict that is not the exit code is refused', async (t) => {
  const renderer = renders({ schema: SUMMARY_SCHEMA, verdict: 'pass', line: 'regression: so it says' });
  const { state, reason } = await rendered(t, { exit: 100, renderer });
  assert.deepEqual(
    { state, reason },
    {
      state: 'refused',
      reason: 'its verdict is pass, and measuring ended with exit 100',
    },
  );
});

test('a summary of another schema, or with an unknown verdict, is refused', async (t) => {
  for (const summary of [
    { schema: 'benchgate.summary/999', verdict: 'pass', line: 'pass: fine' },
    { schema: SUMMARY_SCHEMA, verdict: 'splendid', line: 'splendid: trust me' },
    { schema: SUMMARY_SCHEMA, verdict: 'toString', line: 'toString: trust me' },
    { schema: SUMMARY_SCHEMA, verdict: 'pass' },
  ]) {
    const { state, reason } = await rendered(t, { exit: 0, renderer: renders(summary) });
    assert.equal(state, 'refused');
    assert.match(reason, /not of the schema benchgate\.summary/);
  }
  const words = await rendered(t, { exit: 0, renderer: 'echo "pass: all is well"' });
  assert.equal(words.state, 'refused');
});

test("critcmp's tables are folded below the report, and cannot leave their block", async (t) => {
  const summary = { schema: SUMMARY_SCHEMA, verdict: 'regression', line: 'regression: it is slower' };
  const env = artifact(t, { exit: 100, renderer: renders(summary) });
  fs.writeFileSync(path.join(env.ARTIFACT, 'critcmp.txt'), 'a\u202e ```\n</details> 1.00\n');
  const core = fakeCore();
  const found = await checked(env);
  renderResult({ context: context(), core, env: { ...env, CHECKED: JSON.stringify(found) } });
  const { body } = JSON.parse(core.outputs.rendered);
  assert.match(
    body,
    /<details><summary>critcmp's tables: .*<\/summary>\n\n````text\na\? ```\n<\/details> 1\.00\n````\n<\/details>\n$/,
  );
});

test('a run that is not to be believed is refused by what GitHub says of it', async (t) => {
  const renderer = renders({ schema: SUMMARY_SCHEMA, verdict: 'pass', line: 'pass: fine' });
  const green = { conclusion: 'success' };
  const group = { RUNNER_GROUP: 'bench' };
  const job = (name, runner_group_name) => ({ name, runner_group_name });
  for (const [what, run, more, jobs, expected] of [
    ['as it should be', green, {}, [], ''],
    ['with its branch', { ...green, path: `${WORKFLOW}@main` }, {}, [], ''],
    ['another file', { path: '.github/workflows/mine.yml' }, {}, [], `the run is not of ${WORKFLOW}`],
    ['another event', { event: 'schedule' }, {}, [], /^the event is none of pull_request, /],
    ['the group', green, group, [job('measure', 'bench'), job('gate', 'hosted')], ''],
    [
      'another group',
      green,
      group,
      [job('measure', 'Default')],
      /not measured by a runner of the group bench/,
    ],
    ['no such job', green, group, [job('gate', 'bench')], /not measured by a runner of the group bench/],
    ['one of two', green, group, [job('measure', 'bench'), job('measure', 'x')], /not measured by a runner/],
  ]) {
    const env = { ...artifact(t, { exit: 0, renderer }), ...more };
    const found = await checked(env, { api: fakeGitHub({ jobs }), run });
    assert.equal(found.state, expected === '' ? 'result' : 'refused', what);
    if (expected !== '') assert.match(found.reason, new RegExp(expected), what);
  }
});

test('a change of the workflow that measured it is a doubt, and a push to the default branch is not', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  for (const [contents, run, expected] of [
    [{}, {}, 0],
    [{ [SHA]: 'mine' }, {}, 1],
    [{ [SHA]: null }, {}, 1],
    [{ [SHA]: 'mine' }, { event: 'merge_group' }, 1],
    [{ [SHA]: 'mine' }, { event: 'push' }, 0],
  ]) {
    const found = await checked(env, { api: fakeGitHub({ contents }), run });
    assert.equal(found.doubts.length, expected, JSON.stringify([contents, run]));
  }
});

test('what the job before did not hand over is not believed', async () => {
  for (const found of ['', '{', '"result"']) {
    const api = fakeGitHub({ pulls: [pull(5)] });
    await posted(api, { run: { conclusion: 'success' }, found });
    assert.equal(api.statuses[0].state, 'error', found);
    assert.match(api.comments[0].body, /not reported: the reporter failed/);
  }
});

test('a status is pending from the start, and says what it waits for', async () => {
  for (const [action, attempt, expected] of [
    ['requested', 1, 'waiting for a runner'],
    ['in_progress', 1, 'being measured'],
    ['requested', 3, 'waiting for a runner (attempt 3)'],
  ]) {
    const api = fakeGitHub({ pulls: [pull(5)] });
    const of = context({ run_attempt: attempt, conclusion: null }, action);
    await pending({ github: api.github, context: of, core: fakeCore(), world: fakeWorld() });
    assert.deepEqual(
      api.statuses.map((status) => [status.context, status.state, status.description]),
      [['benchgate', 'pending', expected]],
    );
    assert.equal(api.comments.length, 0);
  }
});

test('a pull request onto another branch never sets the status of the default one', async () => {
  const api = fakeGitHub({ pulls: [pull(5, { onto: 'release' })] });
  await posted(api, {
    found: { ...RED, baseRef: 'release', verdict: 'pass' },
    run: { conclusion: 'success' },
  });
  assert.deepEqual(
    api.statuses.map((status) => [status.context, status.state]),
    [['benchgate (onto release)', 'success']],
  );
});

test('two reports that run at once leave one comment, that of the newer run', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  const { createComment } = api.github.rest.issues;
  // The other report writes between this one's look and its writing.
  api.github.rest.issues.createComment = async (of) => {
    const other = { id: 500, issue: 5, user: { login: BOT }, body: text({ id: 76, attempt: 1 }, 'older') };
    api.comments.push(other);
    return createComment(of);
  };
  await posted(api);
  assert.deepEqual(
    api.comments.map((comment) => comment.body),
    [text({ id: 77, attempt: 2 }, '## red\n')],
  );
});
