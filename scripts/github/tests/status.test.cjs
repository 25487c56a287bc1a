'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { LIMIT, description, set } = require('../status.cjs');
const { SHA, fakeGitHub } = require('./fake.cjs');

test('the status is named benchgate, and leads to the run', async () => {
  const api = fakeGitHub();
  const url = 'https://github.com/o/r/actions/runs/1/attempts/1';
  await set(api.github, { owner: 'o', repo: 'r', sha: SHA, state: 'failure', line: 'regression: a\nb', url });
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
