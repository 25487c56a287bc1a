'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { check, pending, post, renderPage, renderResult } = require('../report.cjs');
const { text } = require('../comment.cjs');
const { RUN_SCHEMA, SUMMARY_SCHEMA } = require('../constants.cjs');
const { FORKED, SHA, fakeCore, fakeGitHub, fakeWorld, pull } = require('./fake.cjs');

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

/** The section of a run in a comment. */
const section = (id, attempt, state, body, gate = 'bench') => text({ id, attempt, gate, state }, body);

async function posted(api, { run, found = RED, more = {} } = {}) {
  const core = fakeCore();
  const world = fakeWorld();
  const RENDERED = typeof found === 'string' ? found : JSON.stringify(found);
  const env = { AUTHOR: BOT, RENDERED, ...more };
  await post({ github: api.github, context: context(run), core, env, world });
  return { core, world };
}

test('a red run gets its comment and its status', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  await posted(api);
  assert.deepEqual(
    api.comments.map((c) => [c.issue, c.body]),
    [[5, section(77, 2, 'failure', '## red\n')]],
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
  const newer = { id: 1, issue: 5, user: { login: BOT }, body: section(78, 1, 'success', 'newer') };
  const api = fakeGitHub({ pulls: [pull(5)], comments: [newer] });
  const target_url = 'https://github.com/o/r/actions/runs/78/attempts/1';
  api.statuses.push({ sha: SHA, context: 'benchgate (bench)', state: 'success', target_url });
  await posted(api);
  assert.match(newer.body, /newer$/);
  assert.equal(api.statuses.length, 1);
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
  // And between two looks at the comment that was written.
  assert.deepEqual(world.slept, [2, 1, 3, 3, 1]);
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
  fs.mkdirSync(at('attempts'));
  fs.writeFileSync(at('attempts/result.json'), '{}');
  const of = { head_sha: SHA, base_sha: '', base_ref: 'main', event: 'pull_request', run_id: 77, attempt: 2 };
  const run = { schema: RUN_SCHEMA, exit, ...of };
  fs.writeFileSync(at('attempts/run.json'), JSON.stringify(run));
  fs.writeFileSync(at('renderer'), `#!/bin/sh\n${renderer}\n`, { mode: 0o755 });
  return { ATTEMPTS: at('attempts'), ARTIFACT: at('artifact'), RENDERER: at('renderer'), WORKFLOW };
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
  fs.writeFileSync(path.join(env.ATTEMPTS, 'critcmp.txt'), 'a\u202e ```\n</details> 1.00\n');
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
    ['legs of a matrix', green, group, [job('measure (1)', 'bench'), job('measure (2, arm)', 'bench')], ''],
    ['an attempt that was skipped', green, group, [job('measure', null), job('measure', 'bench')], ''],
    ['an attempt that found no machine', green, group, [job('measure', ''), job('measure', 'bench')], ''],
    ['only one that was skipped', green, group, [job('measure', null)], /not measured by a runner/],
    [
      'a leg elsewhere',
      green,
      group,
      [job('measure (1)', 'bench'), job('measure (2)', 'x')],
      /not measured by/,
    ],
    ['a job that ends so', green, group, [job('measure', 'bench'), job('other (1)', 'x')], ''],
    ['a job that begins so', green, group, [job('measure', 'bench'), job('measure (x', 'x')], ''],
    ['a name that begins so', green, group, [job('measures', 'bench')], /not measured by a runner/],
    ['a job of another name', green, { ...group, JOB: 'benchgate' }, [job('benchgate', 'bench')], ''],
    ['not that job', green, { ...group, JOB: 'benchgate' }, [job('measure', 'bench')], /not measured by/],
  ]) {
    const env = { ...artifact(t, { exit: 0, renderer }), ...more };
    const found = await checked(env, { api: fakeGitHub({ jobs }), run });
    assert.equal(found.state, expected === '' ? 'result' : 'refused', what);
    if (expected !== '') assert.match(found.reason, new RegExp(expected), what);
  }
});

test('an attempt that measured is reported with its own artifact, and one that did not with the last', async (t) => {
  const [before, since] = ['2026-01-01T10:00:00Z', '2026-01-01T12:00:01Z'];
  const run = { run_attempt: 3, run_started_at: '2026-01-01T12:00:00Z' };
  const job = (started_at, name = 'measure', runner_group_name = 'bench') => ({
    name,
    started_at,
    runner_group_name,
  });
  for (const [what, attempts, jobs, expected] of [
    ['all jobs again', [1, 2, 3], [job(before), job(since)], 3],
    ['of more than nine', [1, 2, 10], [job(before)], 2],
    ['all jobs again, and this attempt left nothing', [1, 2], [job(before), job(since)], null],
    ['again, and no machine came', [1], [job(before), job(since, 'measure', null)], null],
    ['another job alone', [1, 2], [job(before), job(before)], 2],
    ['another job alone, after one attempt', [1], [job(before), job(since, 'gate')], 1],
    ['a leg of several', [1], [job(before, 'measure (1)'), job(since, 'measure (2)')], null],
    ['no word of the jobs', [1], [], null],
    ['no time of a job', [1], [job(undefined)], null],
    ['an attempt to come', [4], [job(before)], null],
  ]) {
    const env = artifact(t, { exit: 0, renderer: 'true' });
    const text = fs.readFileSync(path.join(env.ATTEMPTS, 'run.json'), 'utf8');
    fs.rmSync(env.ATTEMPTS, { recursive: true });
    for (const attempt of attempts) {
      // As download-artifact does it: one alone has no folder of its own.
      const of = attempts.length === 1 ? '' : `benchgate-result-attempt-${attempt}`;
      const folder = path.join(env.ATTEMPTS, of);
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'result.json'), '{}');
      fs.writeFileSync(path.join(folder, 'run.json'), text.replace('"attempt":2', `"attempt":${attempt}`));
    }
    const found = await checked(env, { api: fakeGitHub({ jobs }), run });
    assert.deepEqual([found.attempt, found.state === 'result'], [expected, expected !== null], what);
  }
});

test('an artifact that says of itself that it is of another attempt is refused', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  const ATTEMPTS = `${env.ATTEMPTS}-all`;
  for (const attempt of [1, 3]) {
    fs.cpSync(env.ATTEMPTS, `${ATTEMPTS}/benchgate-result-attempt-${attempt}`, { recursive: true });
  }
  const found = await checked({ ...env, ATTEMPTS }, { run: { run_attempt: 3 } });
  assert.equal(found.reason, 'run.json is of another attempt than its artifact');
});

test('a change of the workflow that measured it is a doubt, and a push to the default branch is not', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  for (const [contents, run, expected] of [
    [{}, {}, 0],
    [{ [SHA]: 'mine' }, {}, 1],
    [{ [SHA]: null }, {}, 1],
    [{ [SHA]: 'mine' }, { event: 'merge_group' }, 1],
    [{ [SHA]: 'mine' }, { event: 'push', head_branch: 'main' }, 0],
    // Others changed it on the default branch since: not this change.
    [{ main: 'newer' }, {}, 0],
    [{ [SHA]: 'old', [FORKED]: 'old', main: 'newer' }, {}, 0],
    // A file equal to the default branch's is not an edit.
    [{ [SHA]: 'newer', main: 'newer' }, {}, 0],
    [{ [SHA]: null, main: null }, {}, 1],
  ]) {
    const found = await checked(env, { api: fakeGitHub({ contents }), run });
    assert.equal(found.doubts.length, expected, JSON.stringify([contents, run]));
  }
});

test('a change is compared with the branch that it is onto, and no other status is its', async (t) => {
  const queue = { event: 'merge_group', head_branch: `gh-readonly-queue/release/1/pr-5-${SHA}` };
  const [own, edited] = [
    { [SHA]: 'own', [FORKED]: 'own' },
    { [SHA]: 'mine', [FORKED]: 'own' },
  ];
  const isGreen = ({ context: name, state }) => [name, state === 'success'];
  const onto = 'benchgate (bench, onto release/1)';
  const required = 'benchgate (bench)';
  for (const [what, { base_ref, bases = ['release/1'], contents = own, run = {}, pulls }, expected] of [
    ['its own base', { base_ref: 'release/1' }, [onto, true]],
    ['edited', { base_ref: 'release/1', contents: edited }, [onto, false]],
    ['no such base', { base_ref: 'release/1', bases: ['main'] }, [onto, false]],
    ['in the queue of it', { base_ref: '', run: queue }, [onto, true]],
    ['edited in a queue', { base_ref: '', run: queue, contents: edited }, [onto, false]],
    // Closed before the report: its answer is not that of a pull request onto the default branch.
    ['closed', { base_ref: 'release/1', pulls: [] }, [onto, true]],
    ['retargeted', { base_ref: 'release/1', pulls: [pull(5)] }, [required, false]],
    [
      'a branch of another repository',
      { base_ref: 'outsider:release/1', bases: ['outsider:release/1'] },
      [onto, false],
    ],
    [
      'a push names no base',
      { base_ref: 'release/1', bases: ['main'], run: { event: 'push', head_branch: 'main' } },
      [required, true],
    ],
  ]) {
    const env = artifact(t, { exit: 0, renderer: 'true' });
    const file = path.join(env.ATTEMPTS, 'run.json');
    fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), base_ref }));
    const of = {
      bases,
      contents: { main: 'newer', ...contents },
      pulls: pulls ?? [pull(5, { onto: 'release/1' })],
    };
    const green = { ...run, conclusion: 'success' };
    const found = await checked(env, { api: fakeGitHub(of), run: green });
    const api = fakeGitHub(of);
    await posted(api, {
      run: green,
      found: { ...found, verdict: 'pass', line: 'pass: fine', body: '## fine' },
    });
    assert.deepEqual(isGreen(api.statuses[0]), expected, what);
  }
});

test('an answer that GitHub does not give is not taken for a file that is not there', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  const api = fakeGitHub();
  api.fail('repos.getContent', 403);
  await assert.rejects(checked(env, { api }), { status: 403 });
});

test('what is handed on as proven is of a fork, asked for, and without a problem', async (t) => {
  for (const [run, FORKS, expected] of [
    [OF_FORK, 'auto', true],
    [OF_FORK, 'refuse', false],
    [{ conclusion: 'success' }, 'auto', false],
    [{ ...OF_FORK, path: 'another' }, 'auto', false],
  ]) {
    const env = { ...artifact(t, { exit: 0, renderer: 'true' }), FORKS };
    const { isProven } = await checked(env, { api: fakeGitHub({ jobs: [hosted()] }), run });
    assert.equal(isProven, expected);
  }
});

test('a bot is one until a person starts its run again', async () => {
  const [person, bot] = [{ type: 'User' }, { type: 'Bot' }];
  for (const [actor, triggering_actor, expected] of [
    [bot, bot, true],
    [bot, undefined, true],
    [bot, person, false],
    [person, bot, false],
    [person, person, false],
  ]) {
    const api = fakeGitHub({ pulls: [pull(5)] });
    await posted(api, {
      run: { actor, triggering_actor },
      found: { state: 'absent', doubts: [], exit: null },
    });
    assert.equal(/opened by a bot/.test(api.comments[0].body), expected);
  }
});

test('a green result is quiet where nothing but what is usual was found', async (t) => {
  for (const [verdict, exit, findings, expected] of [
    ['pass', 0, { unchanged: 3, new: 1 }, true],
    ['pass', 0, { unchanged: 3, improved: 1 }, false],
    ['pass', 0, undefined, true],
    ['inconclusive', 102, { unchanged: 1 }, false],
  ]) {
    const summary = { schema: SUMMARY_SCHEMA, verdict, line: 'a line', findings };
    assert.equal((await rendered(t, { exit, renderer: renders(summary) })).isQuiet, expected);
  }
});

test('a record is made of a result of the default branch, and of no other', async (t) => {
  const summary = JSON.stringify({ schema: SUMMARY_SCHEMA, verdict: 'pass', line: 'pass: fine' });
  const renderer = `case "$*" in history*) echo record ;; *summary*) echo '${summary}' ;; *) echo body ;; esac`;
  const main = { event: 'push', head_branch: 'main', conclusion: 'success' };
  for (const [run, exit, expected] of [
    [main, 0, 'record\n'],
    [main, 100, ''],
    [{ conclusion: 'success' }, 0, ''],
  ]) {
    const env = artifact(t, { exit, renderer });
    const core = fakeCore();
    const CHECKED = JSON.stringify(await checked(env, { run }));
    renderResult({ context: context(run), core, env: { ...env, CHECKED } });
    assert.equal(JSON.parse(core.outputs.rendered).record, expected);
  }
});

test('the log says why there is no comment and no page, and of a page nothing', async (t) => {
  const closed = fakeGitHub();
  const { core } = await posted(closed);
  assert.ok(core.lines.some((line) => /no comment: no open pull request has/.test(line)));
  const never = await posted(fakeGitHub({ pulls: [pull(5)] }), { more: { COMMENT: 'never' } });
  assert.ok(never.core.lines.includes('info: no comment: the input comment is `never`'));
  const { core: page } = await renderedPage(t, 'echo page');
  assert.ok(!page.lines.some((line) => line.includes('no page')));
});

test('the status of a pull request onto another branch is pending under its own name', async () => {
  const api = fakeGitHub({ pulls: [pull(5, { onto: 'release/1' })] });
  const of = context({}, 'requested');
  await pending({ github: api.github, context: of, core: fakeCore(), env: {}, world: fakeWorld() });
  assert.equal(api.statuses[0].context, 'benchgate (bench, onto release/1)');
});

test('the status of a merge queue of another branch is pending under its own name', async () => {
  const api = fakeGitHub();
  const run = { event: 'merge_group', head_branch: `gh-readonly-queue/release/1/pr-5-${SHA}` };
  const of = context(run, 'requested');
  await pending({ github: api.github, context: of, core: fakeCore(), env: {}, world: fakeWorld() });
  assert.equal(api.statuses[0].context, 'benchgate (bench, onto release/1)');
});

test('a head that has nothing in common with the default branch is a doubt', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  // Without a commit GitHub would answer for the default branch.
  const contents = { [SHA]: 'mine', [FORKED]: 'mine', undefined: 'mine' };
  const { doubts } = await checked(env, { api: fakeGitHub({ compared: null, contents }) });
  assert.equal(doubts.length, 1);
});

test('a push to another branch is refused, unless its workflow is that of the default branch', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  const run = { event: 'push', conclusion: 'success' };
  for (const [contents, more, expected] of [
    [{}, {}, 'result'],
    [{ [SHA]: 'mine' }, {}, 'refused'],
    // Equal where it forked is not enough: it ran as it is in the branch.
    [{ [SHA]: 'old', [FORKED]: 'old' }, {}, 'refused'],
    [{ [SHA]: null, main: null }, {}, 'refused'],
    [{ [SHA]: 'mine' }, { head_branch: 'main' }, 'result'],
    [{ [SHA]: 'mine' }, { head_branch: 'main', head_repository: { full_name: 'outsider/r' } }, 'refused'],
  ]) {
    const found = await checked(env, { api: fakeGitHub({ contents }), run: { ...run, ...more } });
    assert.equal(found.state, expected, JSON.stringify([contents, more]));
  }
});

test('every event, branch and workflow gives a green status of a name that is its own', async (t) => {
  const env = artifact(t, { exit: 0, renderer: 'true' });
  const green = {
    state: 'result',
    verdict: 'pass',
    line: 'pass: fine',
    body: '## fine',
    doubts: [],
    attempt: 2,
  };
  const required = [];
  for (const event of ['pull_request', 'merge_group', 'push', 'schedule', 'workflow_dispatch']) {
    for (const branch of ['main', 'topic']) {
      for (const workflow of ['blob', 'mine']) {
        const run = { event, head_branch: branch, conclusion: 'success' };
        const of = { pulls: [pull(5, { branch })], contents: { [SHA]: workflow } };
        const { state, reason, doubts } = await checked(env, { api: fakeGitHub(of), run });
        const found = state === 'result' ? { ...green, doubts } : { state, reason, doubts };
        const api = fakeGitHub(of);
        await posted(api, { run, found });
        const [status] = api.statuses;
        if (status.state === 'success' && status.context === 'benchgate (bench)') {
          required.push(`${event} ${branch} ${workflow}`);
        }
      }
    }
  }
  assert.deepEqual(required, [
    'pull_request main blob',
    'pull_request topic blob',
    'merge_group main blob',
    'merge_group topic blob',
    'push main blob',
    'push main mine',
  ]);
});

/** The permissions of a job of a workflow file of this repository. */
function granted(file, job) {
  const text = fs.readFileSync(path.join(__dirname, '../../../../..', file), 'utf8');
  const [, body] = new RegExp(`\n {2}${job}:\n((?: {4}.*\n|\n)+)`).exec(text);
  const [, lines] = /\n {4}permissions:\n((?: {6}.*\n)+)/.exec(body);
  return Object.fromEntries(
    [...lines.matchAll(/^ {6}([\w-]+): (\w+)/gm)].map(([, scope, access]) => [scope, access]),
  );
}

test('each part may do what it does, with the token of its job and no more', async (t) => {
  const environment = artifact(t, { exit: 0, renderer: 'true' });
  for (const file of [
    '.github/workflows/report.yml',
    'docs/examples/.github/workflows/benchgate-report.yml',
  ]) {
    const parts = {
      pending: (api, core) =>
        pending({ github: api.github, context: context({}, 'requested'), core, env: {}, world: fakeWorld() }),
      render: (api, core) => {
        const run = { ...OF_FORK, run_attempt: 3 };
        const env = { ...environment, FORKS: 'auto', RUNNER_GROUP: 'bench' };
        return check({ github: api.github, context: context(run), core, env, world: fakeWorld() });
      },
      post: async (api, core) => {
        const env = { AUTHOR: BOT, RENDERED: JSON.stringify(RED) };
        const green = JSON.stringify({ ...RED, verdict: 'pass', line: 'pass: fine' });
        const of = (run, RENDERED) =>
          post({
            github: api.github,
            context: context(run),
            core,
            env: { ...env, RENDERED },
            world: fakeWorld(),
          });
        await of({ conclusion: 'success' }, green);
        await of({ id: 78 }, env.RENDERED);
        assert.equal(api.folded.length, 1);
      },
    };
    for (const [job, part] of Object.entries(parts)) {
      const permissions = granted(file, job);
      for (const lacking of [null, ...Object.keys(permissions)]) {
        const given = { ...permissions, [lacking]: 'none' };
        const api = fakeGitHub({
          pulls: [pull(5)],
          jobs: [hosted()],
          contents: { [SHA]: 'mine' },
          permissions: given,
        });
        const core = fakeCore();
        const refused = await part(api, core).then(
          () => core.lines.some((line) => /^(warning|failed)/.test(line)),
          () => true,
        );
        // To check out; the part itself does not read files there.
        const isForAnother = lacking === 'contents' && job !== 'render';
        assert.equal(refused, lacking !== null && !isForAnother, `${file} ${job} without ${lacking}`);
      }
    }
  }
});

/** A run of a fork, and the machine that GitHub says it was measured on. */
const OF_FORK = { head_repository: { full_name: 'outsider/r' }, conclusion: 'success' };
const hosted = (more = {}) => ({
  name: 'measure',
  runner_group_name: 'GitHub Actions',
  labels: ['ubuntu-24.04'],
  ...more,
});

test('a fork is believed only where GitHub proves the machine and what it left alone', async (t) => {
  const env = { ...artifact(t, { exit: 0, renderer: 'true' }), FORKS: 'auto' };
  const files = (...names) => ({
    merge_base_commit: { sha: FORKED },
    files: names.map((filename) => ({ filename })),
  });
  const moved = {
    merge_base_commit: { sha: FORKED },
    files: [{ filename: 'x', previous_filename: 'benchgate.toml' }],
  };
  for (const [what, api, more, expected] of [
    ['as it should be', { jobs: [hosted()], compared: files('src/lib.rs') }, {}, true],
    ['not asked for', { jobs: [hosted()] }, { FORKS: 'refuse' }, false],
    ['no word of it', { jobs: [hosted()] }, { FORKS: undefined }, false],
    ['a workflow', { jobs: [hosted()], compared: files('src/lib.rs', '.github/workflows/x.yml') }, {}, false],
    ['an action', { jobs: [hosted()], compared: files('.github/actions/a/action.yml') }, {}, false],
    ['the policy', { jobs: [hosted()], compared: files('benchgate.toml') }, {}, false],
    ['a policy in a folder', { jobs: [hosted()], compared: files('engine/benchgate.toml') }, {}, false],
    ['a policy that was moved away', { jobs: [hosted()], compared: moved }, {}, false],
    ['a runner of cargo', { jobs: [hosted()], compared: files('.cargo/config.toml') }, {}, false],
    ['a runner in a folder', { jobs: [hosted()], compared: files('engine/.cargo/config') }, {}, false],
    ['a link to settings', { jobs: [hosted()], compared: files('.cargo') }, {}, false],
    ['the toolchain', { jobs: [hosted()], compared: files('rust-toolchain.toml') }, {}, false],
    ['a toolchain in a folder', { jobs: [hosted()], compared: files('engine/rust-toolchain') }, {}, false],
    ['names like those', { jobs: [hosted()], compared: files('src/.cargo.rs', 'a.cargo/x') }, {}, true],
    ['legs of a matrix', { jobs: [hosted({ name: 'measure (1)' })] }, {}, true],
    [
      'a leg elsewhere',
      { jobs: [hosted(), hosted({ name: 'measure (2)', runner_group_name: 'Default' })] },
      {},
      false,
    ],
    [
      'more than is listed',
      { jobs: [hosted()], compared: files(...Array.from({ length: 300 }, String)) },
      {},
      false,
    ],
    ['nothing in common', { jobs: [hosted()], compared: null }, {}, false],
    ['another machine', { jobs: [hosted({ runner_group_name: 'Default' })] }, {}, false],
    ['its label', { jobs: [hosted({ labels: ['self-hosted', 'linux'] })] }, {}, false],
    ['one attempt elsewhere', { jobs: [hosted(), hosted({ runner_group_name: 'Default' })] }, {}, false],
    ['no machine', { jobs: [] }, {}, false],
    ['only a skipped job', { jobs: [hosted({ runner_group_name: null })] }, {}, false],
    ['a skipped attempt', { jobs: [hosted(), hosted({ runner_group_name: null })] }, {}, true],
  ]) {
    const found = await checked({ ...env, ...more }, { api: fakeGitHub(api), run: OF_FORK });
    const green = { verdict: 'pass', line: 'pass: fine', body: '## fine' };
    const target = fakeGitHub({ pulls: [pull(6, { repo: 'outsider/r' })] });
    await posted(target, { run: OF_FORK, found: { ...green, ...found }, more: { FORKS: 'auto', ...more } });
    const [{ state, context: name }] = target.statuses;
    assert.equal(state, expected ? 'success' : 'error', what);
    assert.match(name, /\bfork\)$/, what);
  }
});

test('a forged artifact of a fork is refused as any other', async (t) => {
  const env = { ...artifact(t, { exit: 0, renderer: 'true' }), FORKS: 'auto' };
  fs.writeFileSync(path.join(env.ATTEMPTS, 'run.json'), '{"schema":"benchgate.run/2"}');
  const found = await checked(env, { api: fakeGitHub({ jobs: [hosted()] }), run: OF_FORK });
  assert.equal(found.state, 'refused');
});

test('what only says of itself that it is proven is not believed', async () => {
  const api = fakeGitHub({ pulls: [pull(6, { repo: 'outsider/r' })] });
  const found = { ...RED, verdict: 'pass', line: 'pass', isProven: true };
  await posted(api, { run: OF_FORK, found, more: { FORKS: 'refuse' } });
  assert.equal(api.statuses[0].state, 'error');
});

/** Two gates of one commit: what each run came to, and where it says so. */
const GATES = [
  { run: { id: 80, path: '.github/workflows/benchgate.yml' }, name: 'benchgate' },
  { run: { id: 90, path: WORKFLOW }, name: 'benchgate (bench / arm)', more: { ARTIFACT_NAME: 'arm' } },
];

test('two gates each keep their result, whichever ends first and whichever is red', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    for (const red of [0, 1]) {
      const api = fakeGitHub({ pulls: [pull(5)] });
      for (const number of order) {
        const { run, more } = GATES[number];
        const green = { ...RED, verdict: 'pass', line: 'pass: fine', body: '## green\n' };
        const conclusion = number === red ? 'failure' : 'success';
        await posted(api, { run: { ...run, conclusion }, found: number === red ? RED : green, more });
      }
      const what = `${order} red ${red}`;
      const states = Object.fromEntries(api.statuses.map((status) => [status.context, status.state]));
      const expected = GATES.map(({ name }, number) => [name, number === red ? 'failure' : 'success']);
      assert.deepEqual(states, Object.fromEntries(expected), what);
      assert.equal(api.comments.length, 1, what);
      const [{ body }] = api.comments;
      assert.match(body, /## red/, what);
      assert.match(body, /## green/, what);
      assert.match(body, /Gate `benchgate`\n.*Gate `bench \/ arm`\n/s, what);
    }
  }
});

test('a result that is worse than before is a new comment, and the old one is folded', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  const green = { ...RED, verdict: 'pass', line: 'pass: fine', body: '## green\n' };
  const other = { run: { ...GATES[1].run, conclusion: 'success' }, found: green, more: GATES[1].more };
  await posted(api, other);
  await posted(api, { run: { conclusion: 'success' }, found: green });
  await posted(api, { run: { id: 79 } });
  const [old, now] = api.comments;
  assert.equal(api.comments.length, 2);
  assert.deepEqual(api.folded, [old.node_id]);
  assert.match(old.body, /^<!-- benchgate-outdated -->\n/);
  assert.match(now.body, /## red/);
  assert.match(now.body, /Gate `bench \/ arm`/);
  // Better, or as bad: in place.
  await posted(api, { run: { id: 81 } });
  await posted(api, { run: { id: 82, conclusion: 'success' }, found: green });
  assert.equal(api.comments.length, 2);
});

test('where nothing can be folded, the new comment is there all the same', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  await posted(api, {
    run: { conclusion: 'success' },
    found: { ...RED, verdict: 'pass', line: 'pass: fine' },
  });
  api.fail('graphql', 404);
  const { core } = await posted(api, { run: { id: 79 } });
  assert.equal(api.comments.length, 2);
  assert.deepEqual(
    core.lines.filter((line) => /^(warning|failed)/.test(line)),
    [],
  );
});

test('a comment is written always, on findings or never, and the status always', async () => {
  const quiet = { ...RED, verdict: 'pass', line: 'pass: fine', body: '## green\n', isQuiet: true };
  for (const [COMMENT, found, comments] of [
    ['always', quiet, 1],
    ['', quiet, 1],
    ['on-findings', quiet, 0],
    ['on-findings', { ...quiet, isQuiet: false }, 1],
    ['on-findings', RED, 1],
    ['never', RED, 0],
  ]) {
    const api = fakeGitHub({ pulls: [pull(5)] });
    const conclusion = found === RED ? 'failure' : 'success';
    await posted(api, { run: { conclusion }, found, more: { COMMENT } });
    assert.equal(api.comments.length, comments, COMMENT);
    assert.equal(api.statuses.length, 1, COMMENT);
  }
  const wrong = fakeGitHub({ pulls: [pull(5)] });
  const { core } = await posted(wrong, { more: { COMMENT: 'sometimes' } });
  assert.match(core.lines.at(-1), /^failed: nothing was posted: the input comment is `sometimes`/);
});

test('on findings a comment that is there says that they are gone', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  const more = { COMMENT: 'on-findings' };
  await posted(api, { more });
  const found = { ...RED, verdict: 'pass', line: 'pass: fine', body: '## green\n', isQuiet: true };
  await posted(api, { run: { id: 78, conclusion: 'success' }, found, more });
  assert.match(api.comments[0].body, /## green/);
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
    await pending({ github: api.github, context: of, core: fakeCore(), env: {}, world: fakeWorld() });
    assert.deepEqual(
      api.statuses.map((status) => [status.context, status.state, status.description]),
      [['benchgate (bench)', 'pending', expected]],
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
    [['benchgate (bench, onto release)', 'success']],
  );
});

test('two reports that run at once leave one comment, that of the newer run', async () => {
  const api = fakeGitHub({ pulls: [pull(5)] });
  const { createComment } = api.github.rest.issues;
  // The other report writes between this one's look and its writing.
  api.github.rest.issues.createComment = async (of) => {
    const other = { id: 500, issue: 5, user: { login: BOT }, body: section(76, 1, '', 'older') };
    api.comments.push(other);
    return createComment(of);
  };
  await posted(api);
  assert.deepEqual(
    api.comments.map((comment) => comment.body),
    [section(77, 2, 'failure', '## red\n')],
  );
});
