'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { append, file, problem } = require('../history.cjs');
const { keep } = require('../report.cjs');
const { SHA, fakeCore, fakeWorld } = require('./fake.cjs');

const RECORD = `${JSON.stringify({ schema: 'benchgate.history/1', commit: SHA, time: '2026-11-23T01:02:03Z' })}\n`;

/** A repository with the git half of the API. `late`: how often another writer is first. */
function fakeGit({ late = 0 } = {}) {
  const objects = new Map();
  let ref = null;
  let number = 0;
  const put = (object) => {
    number += 1;
    const sha = `${number}`.padStart(40, '0');
    objects.set(sha, object);
    return { data: { ...object, sha } };
  };
  const refuse = (status) => {
    throw Object.assign(new Error('refused'), { status });
  };
  const files = (commit) => (commit ? objects.get(objects.get(commit).tree.sha).files : {});
  const write = (path) => {
    const tree = put({ files: { ...files(ref), [path]: 'another' } }).data;
    ref = put({ tree, parents: ref ? [ref] : [] }).data.sha;
  };
  const others = () => {
    if (late === 0) return;
    late -= 1;
    write(`runs/2026-11/other-${late}.json`);
  };
  const git = {
    createBlob: async ({ content }) => put({ content }),
    getRef: async () => (ref ? { data: { object: { sha: ref } } } : refuse(404)),
    getCommit: async ({ commit_sha: sha }) => ({ data: objects.get(sha) }),
    createTree: async ({ base_tree: base, tree }) =>
      put({ files: { ...(base ? objects.get(base).files : {}), [tree[0].path]: tree[0].sha } }),
    createCommit: async ({ tree, parents }) => put({ tree: { sha: tree }, parents }),
    createRef: async ({ sha }) => {
      others();
      if (ref) refuse(422);
      ref = sha;
    },
    updateRef: async ({ sha, force }) => {
      others();
      assert.equal(force, false);
      if (objects.get(sha).parents[0] !== ref) refuse(422);
      ref = sha;
    },
  };
  return { github: { rest: { git } }, files: () => files(ref), blob: (sha) => objects.get(sha) };
}

test('a record is a file of its month, the same for the same record', () => {
  const { path, content } = file(RECORD);
  assert.match(path, new RegExp(`^runs/2026-11/${SHA}-[0-9a-f]{8}\\.json$`));
  assert.equal(Buffer.from(content, 'base64').toString(), RECORD);
  assert.deepEqual(file(RECORD), { path, content });
  const odd = JSON.stringify({ commit: SHA, time: '../../x' });
  assert.match(file(odd).path, /^runs\/9999-99\//);
});

test('a writer that is late reads the branch again, and nothing is lost', async () => {
  for (const late of [0, 1, 3]) {
    const api = fakeGit({ late });
    const path = await append(api.github, { owner: 'o', repo: 'r', text: RECORD }, fakeWorld());
    assert.equal(Object.keys(api.files()).length, late + 1);
    assert.ok(api.blob(api.files()[path]).content);
  }
});

test('another failure of the server is not repeated', async () => {
  const api = fakeGit();
  api.github.rest.git.createRef = async () => {
    throw Object.assign(new Error('no permission'), { status: 403 });
  };
  await assert.rejects(append(api.github, { owner: 'o', repo: 'r', text: RECORD }), /no permission/);
});

test('a branch that cannot be read is not taken for one that is not there, and a lost race ends at last', async () => {
  const of = { owner: 'o', repo: 'r', text: RECORD };
  const broken = fakeGit();
  broken.github.rest.git.getRef = async () => {
    throw Object.assign(new Error('a fault'), { status: 500 });
  };
  await assert.rejects(append(broken.github, of, fakeWorld()), /a fault/);
  await assert.rejects(append(fakeGit({ late: 99 }).github, of, fakeWorld()), /refused/);
});

test('a record of another commit or another schema is none', () => {
  assert.equal(problem(RECORD, SHA), '');
  assert.match(problem(RECORD, '0'.repeat(40)), /another commit/);
  assert.match(problem('{"schema":"benchgate.result/2"}', SHA), /schema/);
  assert.match(problem('no', SHA), /JSON/);
});

async function kept(run, found) {
  const api = fakeGit();
  const core = fakeCore();
  const context = {
    repo: { owner: 'o', repo: 'r' },
    payload: {
      action: 'completed',
      workflow_run: {
        id: 1,
        event: 'push',
        head_sha: SHA,
        head_branch: 'main',
        head_repository: { full_name: 'o/r' },
        ...run,
      },
      repository: { default_branch: 'main' },
    },
  };
  const RENDERED = JSON.stringify({ state: 'result', doubts: [], record: RECORD, ...found });
  await keep({ github: api.github, context, core, env: { RENDERED }, world: fakeWorld() });
  return Object.keys(api.files()).length;
}

test('only a believed result of the default branch is recorded', async () => {
  assert.equal(await kept({}, {}), 1);
  assert.equal(await kept({ event: 'pull_request' }, {}), 0);
  assert.equal(await kept({ head_branch: 'topic' }, {}), 0);
  assert.equal(await kept({ head_repository: { full_name: 'x/r' } }, {}), 0);
  assert.equal(await kept({}, { doubts: ['it edits the workflow'] }), 0);
  assert.equal(await kept({}, { state: 'refused' }), 0);
  assert.equal(await kept({}, { record: '' }), 0);
  assert.equal(await kept({ head_sha: '0'.repeat(40) }, {}), 0);
});
