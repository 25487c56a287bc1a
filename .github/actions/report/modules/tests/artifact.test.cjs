'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { LARGEST, check, parseRun } = require('../artifact.cjs');
const { OTHER_SHA, SHA } = require('./fake.cjs');

const RUN = {
  schema: 'benchgate.run/2',
  exit: 0,
  head_sha: SHA,
  base_sha: OTHER_SHA,
  base_ref: 'main',
  event: 'pull_request',
  run_id: 77,
  attempt: 1,
};
/** What GitHub says of the run. */
const OF = { headSha: SHA, id: 77, attempt: 2 };

/** A folder as download-artifact leaves it. */
function folder(t, files) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-artifact-'));
  t.after(() => fs.rmSync(made, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    fs.writeFileSync(path.join(made, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return made;
}

test('a result with its run is a result', (t) => {
  const found = check(folder(t, { 'result.json': '{}', 'run.json': { ...RUN, exit: 100 } }), OF);
  assert.deepEqual(found, {
    state: 'result',
    reason: '',
    exit: 100,
    base: OTHER_SHA,
    baseRef: 'main',
    attempt: 1,
  });
});

test('without an artifact there is no result, and nothing is wrong with it', () => {
  const found = check('/nonexistent/benchgate-result', OF);
  assert.deepEqual(found, { state: 'absent', reason: '', exit: null, base: '', baseRef: '', attempt: null });
});

test('a run without a result says how it ended', (t) => {
  const found = check(folder(t, { 'run.json': { ...RUN, exit: 2, base_sha: '', attempt: 2 } }), OF);
  assert.deepEqual(found, { state: 'absent', reason: '', exit: 2, base: '', baseRef: 'main', attempt: 2 });
});

test('a link is refused, wherever it points', (t) => {
  const made = folder(t, { 'run.json': RUN });
  fs.symlinkSync('/etc/passwd', path.join(made, 'result.json'));
  assert.equal(check(made, OF).reason, 'result.json is not a regular file');
});

test('a folder in the place of a file is refused', (t) => {
  const made = folder(t, { 'result.json': '{}' });
  fs.mkdirSync(path.join(made, 'run.json'));
  assert.equal(check(made, OF).reason, 'run.json is not a regular file');
});

test('a file of 100 MB is refused without being read', (t) => {
  const made = folder(t, { 'run.json': RUN, 'result.json': '' });
  fs.truncateSync(path.join(made, 'result.json'), 100 * 1024 * 1024);
  assert.equal(
    check(made, OF).reason,
    `result.json has ${100 * 1024 * 1024} bytes, more than ${LARGEST['result.json']}`,
  );
});

test('a file that nobody asked for is refused, and its name not repeated', (t) => {
  const made = folder(t, { 'run.json': RUN, 'result.json': '{}', '@everyone': '' });
  assert.equal(check(made, OF).state, 'refused');
  assert.equal(check(made, OF).reason.includes('everyone'), false);
});

test('a result without its run is refused', (t) => {
  assert.equal(
    check(folder(t, { 'result.json': '{}' }), OF).reason,
    'there is a result.json and no run.json',
  );
});

test('a run that is not what it should be is refused by its key', () => {
  const table = [
    ['not JSON', '{', 'run.json is not JSON'],
    ['null', 'null', 'run.json is not of the schema benchgate.run/2'],
    ['a list', '[]', 'run.json is not of the schema benchgate.run/2'],
    [
      'another schema',
      { ...RUN, schema: 'benchgate.run/1' },
      'run.json is not of the schema benchgate.run/2',
    ],
    ['no exit', { ...RUN, exit: undefined }, 'run.json: `exit` is not an exit code'],
    ['an exit in words', { ...RUN, exit: '0' }, 'run.json: `exit` is not an exit code'],
    ['half an exit', { ...RUN, exit: 0.5 }, 'run.json: `exit` is not an exit code'],
    ['a large exit', { ...RUN, exit: 1e9 }, 'run.json: `exit` is not an exit code'],
    ['no commit', { ...RUN, head_sha: 'main' }, 'run.json: `head_sha` is not a commit'],
    ['a commit in a list', { ...RUN, head_sha: [SHA] }, 'run.json: `head_sha` is not a commit'],
    [
      'another commit',
      { ...RUN, head_sha: OTHER_SHA },
      'run.json is of another commit than the workflow run',
    ],
    ['another run', { ...RUN, run_id: 76 }, 'run.json is of another workflow run'],
    ['no run', { ...RUN, run_id: undefined }, 'run.json is of another workflow run'],
    [
      'an attempt to come',
      { ...RUN, attempt: 3 },
      'run.json: `attempt` is not an attempt of the workflow run',
    ],
    ['no attempt', { ...RUN, attempt: 0 }, 'run.json: `attempt` is not an attempt of the workflow run'],
  ];
  for (const [what, run, expected] of table) {
    assert.equal(parseRun(typeof run === 'string' ? run : JSON.stringify(run), OF), expected, what);
  }
});

test('a base that is not a commit is not used', () => {
  assert.deepEqual(parseRun(JSON.stringify({ ...RUN, base_sha: '$(id)', base_ref: 7 }), OF), {
    exit: 0,
    base: '',
    baseRef: '',
    attempt: 1,
  });
});
