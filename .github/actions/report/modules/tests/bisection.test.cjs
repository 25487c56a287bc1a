'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { check, post, renderPage, renderResult } = require('../report.cjs');
const { text } = require('../comment.cjs');
const { SHA, fakeCore, fakeGitHub, fakeWorld, pull } = require('./fake.cjs');

const BOT = 'github-actions[bot]';
/** A run by hand, in which a search is reported. */
const context = {
  repo: { owner: 'o', repo: 'r' },
  serverUrl: 'https://github.com',
  runId: 90,
  sha: SHA,
  ref: 'refs/heads/topic',
  payload: {},
};

function artifact(t, files, renderer = 'echo "$*"') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-bisection-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const of = path.join(folder, 'attempts');
  fs.mkdirSync(of);
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(of, name), content);
  const RENDERER = path.join(folder, 'renderer');
  fs.writeFileSync(RENDERER, `#!/bin/sh\n${renderer}\n`, { mode: 0o755 });
  return { ATTEMPTS: of, ARTIFACT: path.join(folder, 'artifact'), RENDERER };
}

async function rendered(t, files, renderer) {
  const env = artifact(t, files, renderer);
  const core = fakeCore();
  await check({ context, core, env });
  const { state } = core.outputs;
  if (state === 'result') renderResult({ context, core, env });
  return { state, ...JSON.parse(core.outputs.rendered ?? '{}') };
}

async function posted(api, found) {
  const core = fakeCore();
  const env = { AUTHOR: BOT, RENDERED: JSON.stringify(found) };
  await post({ github: api.github, context, core, env, world: fakeWorld() });
  return core.lines.join('\n');
}

test('an answer is rendered for the commit that was searched', async (t) => {
  const { state, body } = await rendered(t, { 'bisect.json': '{}' });
  assert.equal(state, 'result');
  assert.match(body, new RegExp(`/bisect.json --head ${SHA} --format markdown\n`));
  assert.match(body, /\[The run\]\(https:\/\/github.com\/o\/r\/actions\/runs\/90\)/);
});

test('what the renderer refuses, another file and a link are not an answer', async (t) => {
  const nothing = fakeCore();
  await check({ context, core: nothing, env: { ATTEMPTS: '/nonexistent/a', ARTIFACT: '/nonexistent/b' } });
  assert.equal(nothing.outputs.state, 'absent');
  const said = fakeCore();
  const failing = artifact(t, { 'bisect.json': '{}' }, 'echo "error: no" >&2; exit 101');
  await check({ context, core: said, env: failing });
  renderResult({ context, core: said, env: failing });
  assert.deepEqual(said.lines, ['info: no answer: error: no']);
  const refused = await rendered(t, { 'bisect.json': '{}' }, 'echo "error: no" >&2; exit 101');
  assert.deepEqual([refused.state, refused.body], ['absent', undefined]);
  const other = await rendered(t, { 'bisect.json': '{}', benchgate: '#!/bin/sh' });
  assert.equal(other.state, 'absent');
  const env = artifact(t, {});
  fs.symlinkSync('/etc/passwd', path.join(env.ATTEMPTS, 'bisect.json'));
  const core = fakeCore();
  await check({ context, core, env });
  assert.equal(core.outputs.state, 'absent');
});

test('the answer of the newest attempt is shown', async (t) => {
  const env = artifact(t, {}, 'cat "$2"');
  for (const [attempt, content] of [
    [1, 'the first'],
    [2, 'the second'],
    [10, 'one to come'],
  ]) {
    const of = path.join(env.ATTEMPTS, `benchgate-bisection-attempt-${attempt}`);
    fs.mkdirSync(of);
    fs.writeFileSync(path.join(of, 'bisect.json'), content);
  }
  const core = fakeCore();
  process.env.GITHUB_RUN_ATTEMPT = '3';
  t.after(() => delete process.env.GITHUB_RUN_ATTEMPT);
  await check({ context, core, env });
  renderResult({ context, core, env });
  assert.match(JSON.parse(core.outputs.rendered).body, /^the second\n/);
});

test('a long answer is cut between lines, and says so', async (t) => {
  const { body } = await rendered(t, { 'bisect.json': '{}' }, "yes 'été' | head -n 20000");
  assert.ok(Buffer.byteLength(body) < 61_000, `${Buffer.byteLength(body)}`);
  assert.match(body, /été\n\n\(cut: bisect.md/);
});

test('a search has no page', (t) => {
  const core = fakeCore();
  renderPage({ context, core, env: artifact(t, { 'bisect.json': '{}' }) });
  assert.deepEqual(core.outputs, {});
});

test('an answer is a comment of its own, and no status; another attempt updates it', async () => {
  const gates = { id: 1, issue: 5, user: { login: BOT }, body: text({ id: 99, attempt: 1 }, 'red') };
  const api = fakeGitHub({ pulls: [pull(5)], comments: [gates] });
  await posted(api, { state: 'result', body: 'it is a1b2c3' });
  await posted(api, { state: 'result', body: 'it is still a1b2c3' });
  const [first, second, ...more] = api.comments;
  assert.equal(first.body, gates.body);
  assert.equal(second.body, '<!-- benchgate-bisect run=90 attempt=1 -->\nit is still a1b2c3');
  assert.deepEqual([more, api.statuses], [[], []]);
});

test('without an answer or a pull request nothing is written, and the log says why', async () => {
  const none = fakeGitHub({ pulls: [pull(5)] });
  assert.match(await posted(none, { state: 'absent' }), /no comment: the search left no answer/);
  const alone = fakeGitHub({ pulls: [] });
  assert.match(await posted(alone, { state: 'result', body: 'x' }), /no comment: no open pull request/);
  assert.deepEqual([none.comments, alone.comments], [[], []]);
});
