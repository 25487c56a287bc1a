'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { ATTEMPTS, pause, retry } = require('../retry.cjs');
const { ApiError, fakeWorld } = require('./fake.cjs');

test('an error that waiting can fix is retried, and no other', () => {
  const now = 1000;
  const table = [
    // status, headers, message, seconds
    [500, {}, 'oops', 1],
    [502, {}, 'bad gateway', 1],
    [undefined, {}, 'socket hang up', 1],
    [429, { 'retry-after': '7' }, 'slow down', 7],
    [429, {}, 'slow down', 60],
    [403, { 'retry-after': '3' }, 'abuse', 3],
    [403, { 'retry-after': '0' }, 'abuse', 0],
    [403, {}, 'You have exceeded a secondary rate limit', 60],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1090' }, 'limit', 91],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '900' }, 'limit', 1],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9000' }, 'limit', null],
    [429, { 'retry-after': '3600' }, 'slow down', null],
    [403, { 'x-ratelimit-remaining': '12' }, 'Resource not accessible by integration', null],
    [429, { 'retry-after': 'soon' }, 'slow down', 60],
    [403, { 'x-ratelimit-remaining': '0' }, 'limit', 60],
    [429, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '1090' }, 'slow down', 60],
    [400, {}, 'bad request', null],
    [401, {}, 'bad credentials', null],
    [404, {}, 'not found', null],
    [422, {}, 'unprocessable', null],
  ];
  for (const [status, headers, message, expected] of table) {
    assert.equal(pause(new ApiError(status, message, headers), 1, now), expected, `${status} ${message}`);
  }
});

test('pauses after errors of the server double', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => pause(new ApiError(503, ''), attempt, 0)),
    [1, 2, 4],
  );
});

test('a call that fails twice and then succeeds is made three times', async () => {
  const world = fakeWorld();
  const answers = [new ApiError(500, 'a'), new ApiError(429, 'b', { 'retry-after': '5' }), 'fine'];
  const value = await retry(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  }, world);
  assert.equal(value, 'fine');
  assert.deepEqual(world.slept, [1, 5]);
});

test('a server that never answers is given up, with its last error', async () => {
  const world = fakeWorld();
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new ApiError(502, `failure ${calls}`);
  };
  await assert.rejects(retry(call, world), { message: `failure ${ATTEMPTS}` });
  assert.equal(calls, ATTEMPTS);
  assert.deepEqual(world.slept, [1, 2, 4]);
});

test('a 404 is asked for once', async () => {
  const world = fakeWorld();
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new ApiError(404, 'not found');
  };
  await assert.rejects(retry(call, world), { status: 404 });
  assert.equal(calls, 1);
});

test('a mistake of our own is not repeated', async () => {
  const world = fakeWorld();
  await assert.rejects(
    retry(async () => undefined.x, world),
    TypeError,
  );
  assert.deepEqual(world.slept, []);
});
