'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { find } = require('../pull-request.cjs');
const { OTHER_SHA, SHA, fakeGitHub, pull } = require('./fake.cjs');

const OF = { owner: 'o', repo: 'r', headSha: SHA, headRepository: 'o/r', headBranch: 'topic' };

test('the pull request is the open one whose head is the commit', async () => {
  const api = fakeGitHub({
    pulls: [
      pull(1, { sha: OTHER_SHA }),
      pull(2, { state: 'closed' }),
      pull(3, { branch: 'another', sha: OTHER_SHA }),
      pull(4),
    ],
  });
  assert.equal((await find(api.github, OF)).number, 4);
});

test('a pull request of a fork is found by its commit', async () => {
  const api = fakeGitHub({ pulls: [pull(7, { repo: 'outsider/r' })] });
  const of = { ...OF, headRepository: 'outsider/r' };
  assert.equal((await find(api.github, of)).number, 7);
});

test('a fork with the same commit as the run of another repository is not taken for it', async () => {
  const api = fakeGitHub({ pulls: [pull(7, { repo: 'outsider/r' })] });
  assert.equal((await find(api.github, { ...OF, headRepository: null })).number, 7);
  assert.equal((await find(api.github, OF)).number, null);
});

test('GitHub is asked for the branch alone, where it names one', async () => {
  for (const [more, head] of [
    [{}, 'o:topic'],
    [{ headRepository: 'outsider/r' }, 'outsider:topic'],
    [{ headBranch: null }, undefined],
    [{ headRepository: null }, undefined],
  ]) {
    const api = fakeGitHub({ pulls: [pull(4)] });
    await find(api.github, { ...OF, ...more });
    assert.equal(api.calls[0].parameters.head, head);
  }
});

test('it is found on the third page', async () => {
  const others = Array.from({ length: 250 }, (_, i) => pull(i + 1, { sha: OTHER_SHA }));
  const api = fakeGitHub({ pulls: [...others, pull(251)] });
  assert.equal((await find(api.github, OF)).number, 251);
});

test('a head that moved on has no pull request', async () => {
  const api = fakeGitHub({ pulls: [pull(4, { sha: OTHER_SHA })] });
  const found = await find(api.github, OF);
  assert.equal(found.number, null);
  assert.match(found.reason, /it moved on or was closed/);
});

test('of two with one head, the base chooses; without it none is chosen', async () => {
  const api = fakeGitHub({ pulls: [pull(4, { base: 'c3'.repeat(20) }), pull(5, { base: OTHER_SHA })] });
  assert.equal((await find(api.github, { ...OF, base: OTHER_SHA })).number, 5);
  const open = await find(api.github, OF);
  assert.equal(open.number, null);
  assert.match(open.reason, /^#4, #5 all have the head/);
});

test('of two with one head, the base branch that was measured chooses, and a green result is doubted', async () => {
  const api = fakeGitHub({ pulls: [pull(4), pull(5, { onto: 'mine' })] });
  const found = await find(api.github, { ...OF, baseRef: 'main' });
  assert.equal(found.number, 4);
  assert.deepEqual(found.doubts, ['#5 is of the same commit onto another branch; push another commit']);
});

test('one that was closed had its run as well', async () => {
  const api = fakeGitHub({ pulls: [pull(4), pull(5, { onto: 'mine', state: 'closed' })] });
  const found = await find(api.github, { ...OF, baseRef: 'main' });
  assert.equal(found.number, 4);
  assert.equal(found.doubts.length, 1);
  const reopened = fakeGitHub({ pulls: [pull(4), pull(5, { state: 'closed' })] });
  assert.deepEqual((await find(reopened.github, { ...OF, baseRef: 'main' })).doubts, []);
});

test('a base branch that was changed since is measured again', async () => {
  const api = fakeGitHub({ pulls: [pull(4)] });
  const found = await find(api.github, { ...OF, baseRef: 'release' });
  assert.deepEqual(found.doubts, ['the base branch was changed after this was measured; run it again']);
});
