'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const { body, files, propose } = require('../baseline.cjs');
const { block } = require('../block.cjs');

const GOOD = JSON.stringify({ name: 'm', benchmarks: {}, benchgate: { schema: 'benchgate.baseline/1' } });

/** A folder with these files; a text is written, a function makes the file itself. */
function artifact(t, entries) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-baseline-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries({ 'change.txt': 'c\n', 'drift.txt': 'd\n', ...entries })) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (typeof content === 'function') content(file);
    else fs.writeFileSync(file, content);
  }
  return folder;
}

test('baselines are read in the order of their names, tables are left out', (t) => {
  const folder = artifact(t, { 'baselines/m/p.two.json': GOOD, 'baselines/m/p.one.json': GOOD });
  assert.deepEqual(
    files(folder).map((file) => file.path),
    ['baselines/m/p.one.json', 'baselines/m/p.two.json'],
  );
});

test('a file that is not a baseline is refused by its name', (t) => {
  for (const [name, content, message] of [
    ['src/lib.rs', 'fn main() {}', /"src\/lib.rs" is not the name of a baseline/],
    ['.github/workflows/x.yml', 'on: push', /not the name of a baseline/],
    ['baselines/p.s.json', GOOD, /not the name of a baseline/],
    ['baselines/m/deeper/p.s.json', GOOD, /not the name of a baseline/],
    ['baselines/M/p.s.json', GOOD, /not the name of a baseline/],
    ['baselines/m/.hidden.json', GOOD, /not the name of a baseline/],
    ['baselines/m/p.s.json', '{}', /is not of benchgate.baseline\/1/],
    ['baselines/m/p.s.json', 'hello', /JSON/],
    ['baselines/m/p.s.json', (file) => fs.symlinkSync('/etc/passwd', file), /not a regular file/],
    ['baselines/m/p.s.json', (file) => fs.writeFileSync(file, Buffer.alloc(9_000_000)), /bytes/],
  ]) {
    assert.throws(() => files(artifact(t, { [name]: content })), message, name);
  }
});

test('more files than a project has baselines are refused', (t) => {
  const many = (count) =>
    artifact(
      t,
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`baselines/m/p.s${n}.json`, GOOD])),
    );
  assert.equal(files(many(200)).length, 200);
  assert.throws(() => files(many(201)), /201 files, more than 200/);
});

test('a table cannot leave its block and is cut', () => {
  assert.equal(block('a ```` b\n\n'), '`````text\na ```` b\n`````');
  const cut = block('x'.repeat(100_000));
  assert.ok(cut.length < 30_000 && cut.endsWith('(cut)\n```'), String(cut.length));
});

test('the text of the pull request is within the limit and escaped', () => {
  const long = 'x'.repeat(100_000);
  const text = body({
    sha: 'c0ffee',
    reason: '@all `<b>`',
    change: long,
    drift: long,
    runUrl: 'https://x/1',
  });
  assert.ok(text.length < 65_536);
  assert.ok(text.includes('`@all ?<b>?`'), text.slice(0, 300));
});

test('nothing to propose asks nothing of GitHub', async (t) => {
  const folder = artifact(t, {});
  const said = [];
  const core = { info: (line) => said.push(line) };
  assert.equal(await propose({ github: {}, context: {}, core, env: { ARTIFACT: folder } }), null);
  assert.deepEqual(said, ['the baselines are as they were']);
});

test('what the newest attempt measured is proposed', async (t) => {
  const [first, second] = [1, 2].map((attempt) => `benchgate-baseline-attempt-${attempt}`);
  const ARTIFACT = artifact(t, {
    [`${first}/baselines/m/p.one.json`]: 'not JSON',
    [`${second}/baselines/m/p.one.json`]: GOOD,
    [`${second}/change.txt`]: 'the change',
    [`${second}/drift.txt`]: 'the drift',
  });
  const asked = [];
  const data = { sha: 'd'.repeat(40), tree: { sha: 'e' }, number: 7 };
  const answer = async (of) => asked.push(of) && { data };
  const git = { getCommit: answer, createTree: answer, createCommit: answer, createRef: answer };
  const github = { rest: { git, pulls: { create: answer } } };
  const payload = { repository: { default_branch: 'main' } };
  const context = { repo: { owner: 'o', repo: 'r' }, sha: 'a'.repeat(40), runId: 1, payload };
  const env = { ARTIFACT, GITHUB_RUN_ATTEMPT: '2' };
  assert.equal(await propose({ github, context, core: { info: () => {} }, env }), 7);
  assert.deepEqual(
    asked[1].tree.map(({ path: name, content }) => [name, content]),
    [['baselines/m/p.one.json', GOOD]],
  );
  assert.match(asked.at(-1).body, /the change/);
});

test('a branch that an earlier attempt made is used again, and another failure is not passed over', async (t) => {
  const ARTIFACT = artifact(t, { 'baselines/m/p.one.json': GOOD });
  const context = {
    repo: { owner: 'o', repo: 'r' },
    sha: 'a'.repeat(40),
    runId: 1,
    payload: { repository: { default_branch: 'main' } },
  };
  for (const [status, expected] of [
    [422, true],
    [403, false],
  ]) {
    const updated = [];
    const answer = async () => ({ data: { sha: 'd'.repeat(40), tree: { sha: 'e' }, number: 7 } });
    const createRef = async () => {
      throw Object.assign(new Error('refused'), { status });
    };
    const updateRef = async (of) => updated.push(of);
    const git = { getCommit: answer, createTree: answer, createCommit: answer, createRef, updateRef };
    const github = { rest: { git, pulls: { create: answer } } };
    const done = propose({ github, context, core: { info: () => {} }, env: { ARTIFACT } });
    if (expected) assert.equal(await done, 7);
    else await assert.rejects(done, /refused/);
    assert.equal(updated.length, expected ? 1 : 0);
  }
});

test('a workspace outside of the repository is refused, and nothing is written', async (t) => {
  const folder = artifact(t, { 'baselines/m/p.one.json': GOOD });
  const core = { info: () => {} };
  const context = {
    repo: { owner: 'o', repo: 'r' },
    sha: 'a'.repeat(40),
    runId: 1,
    payload: { repository: {} },
  };
  for (const WORKSPACE of ['..', 'a/../..', '/etc', '../other']) {
    const env = { ARTIFACT: folder, WORKSPACE };
    await assert.rejects(
      propose({ github: {}, context, core, env }),
      /is not a folder of the repository/,
      WORKSPACE,
    );
  }
});
