'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { LIMIT, contextOf, description, pending, set, settle } = require('../status.cjs');
const { SHA, fakeGitHub } = require('./fake.cjs');

test('the status is named benchgate, and leads to the run', async () => {
  const api = fakeGitHub();
  const url = 'https://github.com/o/r/actions/runs/1/attempts/1';
  const of = { owner: 'o', repo: 'r', sha: SHA, context: 'benchgate', url };
  await set(api.github, { ...of, state: 'failure', line: 'regression: a\nb' });
  assert.deepEqual(api.statuses, [
    {
      owner: 'o',
      repo: 'r',
      sha: SHA,
      state: 'failure',
      context: 'benchgate',
      description: 'regression: a b',
      target_url: url,
    },
  ]);
});

test('a long line is cut to what GitHub takes, between characters', () => {
  for (const [line, length] of [
    ['x'.repeat(140), 140],
    ['x'.repeat(141), 140],
    [`${'x'.repeat(138)}😀😀`, 139],
    ['', 0],
  ]) {
    assert.equal(description(line).length, length);
    assert.ok(description(line).length <= LIMIT && description(line).isWellFormed());
  }
});

test('attempts are counted, however long the line is', () => {
  assert.equal(description('pass: fine', 1), 'pass: fine');
  assert.equal(description('pass: fine', 3), 'pass: fine (attempt 3)');
  const long = description('x'.repeat(200), 12);
  assert.equal(long.length, LIMIT);
  assert.ok(long.endsWith('x… (attempt 12)'), long);
});

test('a pull request onto another branch than the default one has a status of its own name', () => {
  for (const [baseRef, expected] of [
    ['', 'benchgate'],
    ['trunk', 'benchgate'],
    ['release/1', 'benchgate (onto release/1)'],
  ]) {
    assert.equal(contextOf({ baseRef, defaultBranch: 'trunk' }), expected);
  }
  const defaultBranch = 'trunk';
  const names = [
    {},
    { gate: 'bench' },
    { gate: 'bench / arm' },
    { isOfFork: true },
    { gate: 'bench', isOfFork: true },
    { event: 'push', headBranch: 'topic' },
  ].map((of) => contextOf({ defaultBranch, ...of }));
  assert.deepEqual(names, [
    'benchgate',
    'benchgate (bench)',
    'benchgate (bench / arm)',
    'benchgate (fork)',
    'benchgate (bench, fork)',
    'benchgate (push to topic)',
  ]);
  assert.equal(contextOf({ defaultBranch, event: 'push', headBranch: 'trunk' }), 'benchgate');
  assert.equal(contextOf({ baseRef: 'x'.repeat(300), defaultBranch: 'trunk' }).length, 200);
});

test('pending is set at the start, and never over the answer of this run or a newer one', async () => {
  const url = (id, attempt) => `https://github.com/o/r/actions/runs/${id}/attempts/${attempt}`;
  for (const [before, expected] of [
    [null, 'set'],
    [{ id: 76, attempt: 9, state: 'failure' }, 'set'],
    [{ id: 77, attempt: 1, state: 'failure' }, 'set'],
    [{ id: 77, attempt: 2, state: 'pending' }, 'set'],
    [{ id: 77, attempt: 2, state: 'success' }, 'answered'],
    [{ id: 77, attempt: 3, state: 'pending' }, 'answered'],
    [{ id: 78, attempt: 1, state: 'pending' }, 'answered'],
  ]) {
    const api = fakeGitHub();
    const of = { owner: 'o', repo: 'r', sha: SHA, context: 'benchgate', line: 'waiting for a runner' };
    if (before) {
      await set(api.github, { ...of, state: before.state, url: url(before.id, before.attempt) });
      await set(api.github, { ...of, context: 'another', state: 'success', url: url(99, 1) });
    }
    const run = { id: 77, attempt: 2 };
    const done = await pending(api.github, { ...of, run, url: url(77, 2) });
    assert.equal(done, expected, JSON.stringify(before));
    assert.equal(api.statuses.at(-1).state === 'pending', expected === 'set');
  }
});

test('an answer is set, but over that of a newer run of the same commit', async () => {
  const url = (id) => `https://github.com/o/r/actions/runs/${id}/attempts/1`;
  const of = { owner: 'o', repo: 'r', sha: SHA, context: 'benchgate', state: 'failure', line: 'regression' };
  for (const [before, context, expected] of [
    [76, 'benchgate', 'set'],
    [77, 'benchgate', 'set'],
    [78, 'benchgate', 'superseded'],
    [78, 'benchgate (bench)', 'set'],
  ]) {
    const api = fakeGitHub();
    await set(api.github, { ...of, context, state: 'success', url: url(before) });
    const run = { id: 77, attempt: 1 };
    assert.equal(await settle(api.github, { ...of, run, attempt: 1, url: url(77) }), expected, `${before}`);
    assert.equal(api.statuses.length, expected === 'set' ? 2 : 1);
  }
});
