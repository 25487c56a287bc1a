'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { EXIT_MEANINGS, VERDICT_EXITS } = require('../constants.cjs');
const { escaped, outcome, STATES } = require('../outcome.cjs');

const URL = 'https://github.com/o/r/actions/runs/1/attempts/1';
const RESULT = {
  state: 'result',
  verdict: 'pass',
  line: 'pass: fine',
  body: '## fine\n',
  fork: false,
  bot: false,
  attempt: 1,
  doubts: [],
  runUrl: URL,
};
const ABSENT = { state: 'absent', fork: false, bot: false, attempt: 1, doubts: [], runUrl: URL };

test('a verdict and the end of the run give the status, the worse one winning', () => {
  for (const [conclusion, verdict, expected] of [
    ['success', 'pass', 'success'],
    ['success', 'inconclusive', 'success'],
    ['failure', 'inconclusive', 'failure'],
    ['failure', 'regression', 'failure'],
    ['success', 'regression', 'failure'],
    ['failure', 'incomplete', 'error'],
    ['failure', 'pass', 'failure'],
    ['cancelled', 'pass', 'failure'],
    ['success', 'splendid', 'error'],
  ]) {
    assert.equal(outcome({ ...RESULT, conclusion, verdict }).status, expected, `${conclusion} ${verdict}`);
  }
});

test('every verdict has a state, and every exit code a meaning', () => {
  assert.deepEqual(Object.keys(STATES).sort(), Object.keys(VERDICT_EXITS).sort());
  for (const [verdict, exit] of Object.entries(VERDICT_EXITS)) {
    const { status } = outcome({ ...RESULT, conclusion: 'success', verdict });
    assert.equal(status === 'success', verdict === 'pass' || verdict === 'inconclusive', verdict);
    const { body } = outcome({ ...ABSENT, exit, conclusion: 'failure' });
    assert.ok(body.includes(EXIT_MEANINGS[exit]), body);
  }
});

test('the comment of a result is the rendered one', () => {
  assert.deepEqual(outcome({ ...RESULT, conclusion: 'success' }), {
    status: 'success',
    hasFindings: true,
    line: 'pass: fine',
    body: '## fine\n',
  });
  assert.equal(outcome({ ...RESULT, conclusion: 'success', isQuiet: true }).hasFindings, false);
  assert.equal(outcome({ ...RESULT, conclusion: 'failure', isQuiet: true }).hasFindings, true);
});

test('a result that says pass in a red run is shown under the words that it is red', () => {
  const { body, line } = outcome({ ...RESULT, conclusion: 'failure' });
  assert.match(body, /^> The run ended as \*\*failure\*\*, so the gate is red/);
  assert.equal(line, 'the gate is red (failure); its result says: pass: fine');
});

test('without a result it says why, is never green, and leads to the run', () => {
  for (const [run, line, words] of [
    [
      { ...ABSENT, fork: true, conclusion: 'failure' },
      'not measured: from a fork',
      /maintainer who has read/,
    ],
    [
      { ...ABSENT, bot: true, conclusion: 'failure' },
      'not measured: opened by a bot',
      /run all jobs of the run again/,
    ],
    [{ ...ABSENT, bot: true, conclusion: 'cancelled' }, 'not measured: cancelled', /was cancelled/],
    [{ ...ABSENT, conclusion: 'cancelled' }, 'not measured: cancelled', /was cancelled/],
    [{ ...ABSENT, conclusion: 'timed_out' }, 'not measured: timed out', /longer than it may/],
    [{ ...ABSENT, conclusion: 'action_required' }, 'not measured: waits for approval', /approval/],
    [{ ...ABSENT, conclusion: 'skipped' }, 'not measured: skipped', /not a pass/],
    [{ ...ABSENT, conclusion: 'success' }, 'not measured: there is no result', /nothing says that anything/],
    [{ ...ABSENT, conclusion: 'failure' }, 'not measured: it failed', /says nothing about speed/],
    [{ ...ABSENT, conclusion: 'startup_failure' }, 'not measured: it failed', /failed before/],
    [
      { ...ABSENT, exit: 2, conclusion: 'failure' },
      'not measured: exit 2 and no result',
      /usage or configuration/,
    ],
    [
      { ...ABSENT, exit: 139, conclusion: 'failure' },
      'not measured: exit 139 and no result',
      /no exit code of/,
    ],
    [
      { ...ABSENT, state: '', conclusion: 'success' },
      'not reported: the reporter failed',
      /workflow `report`/,
    ],
    [
      { ...RESULT, body: '', conclusion: 'success' },
      'not reported: the reporter failed',
      /workflow `report`/,
    ],
  ]) {
    const said = outcome(run);
    assert.equal(said.status, 'error', line);
    assert.equal(said.line, line);
    assert.match(said.body, words);
    assert.ok(said.body.startsWith(`## ⛔ benchgate: ${line}\n`));
    assert.ok(said.body.endsWith(`[The run](${URL})\n`));
  }
});

test('the reason for refusing a result is reported escaped', () => {
  const reason = '`schema`: `x`</code> @everyone\n# owned \u202e is not `benchgate.result/1`';
  const { body, line } = outcome({ ...ABSENT, state: 'refused', reason, conclusion: 'failure' });
  assert.equal(line, 'not measured: the result was refused');
  assert.match(body, /`\?schema\?: \?x\?<\/code> @everyone\?# owned \? is not \?benchgate\.result\/1\?`\./);
  assert.equal(escaped('a`b'), '`a?b`');
});

test('what a fork uploads is not shown, however green', () => {
  const forged = {
    fork: true,
    bot: false,
    attempt: 1,
    doubts: [],
    conclusion: 'success',
    state: 'result',
    exit: 0,
    verdict: 'pass',
    line: 'pass: nothing proven slower',
    body: '## pass',
    runUrl: 'https://github.com/o/r/actions/runs/7',
  };
  const { status, line, body } = outcome(forged);
  assert.equal(status, 'error');
  assert.equal(line, 'not measured: from a fork');
  assert.ok(!body.includes('pass'), body);
});

test('what is proven of a fork is shown under the words where it was measured', () => {
  const of = { ...RESULT, fork: true, isProven: true, conclusion: 'success' };
  const { status, line, body } = outcome(of);
  assert.deepEqual([status, line], ['success', 'pass: fine']);
  assert.match(body, /^> Measured in the fork's own run, .*\n\n## fine\n$/);
  assert.equal(outcome({ ...of, conclusion: 'failure' }).status, 'failure');
  assert.equal(outcome({ ...of, isProven: 'yes' }).status, 'error');
});

test('a result of a fork that is not believed says why', () => {
  const of = {
    ...ABSENT,
    fork: true,
    state: 'refused',
    reason: 'the fork changes a workflow',
    conclusion: 'success',
  };
  const { status, line, body } = outcome(of);
  assert.deepEqual([status, line], ['error', 'not measured: from a fork']);
  assert.match(body, /is not believed: `the fork changes a workflow`/);
});

test('a green result that is not to be believed is not a success, and a red one stays red', () => {
  const doubts = ['this change edits .github/workflows/bench.yml, which measured it', 'another'];
  const green = outcome({ ...RESULT, conclusion: 'success', doubts });
  assert.equal(green.status, 'error');
  assert.equal(green.line, 'not believed: this change edits .github/workflows/bench.yml, which measured it');
  assert.match(green.body, /^> \*\*The status does not follow this result\*\*: .*; another\.\n\n## fine\n$/);
  const red = outcome({ ...RESULT, verdict: 'regression', conclusion: 'failure', doubts });
  assert.equal(red.status, 'failure');
});

test('a result of an earlier attempt is said to be that', () => {
  const again = outcome({ ...RESULT, conclusion: 'success', attempt: 3, measuredIn: 3 });
  assert.equal(again.body, '## fine\n');
  const earlier = outcome({ ...RESULT, conclusion: 'cancelled', attempt: 2, measuredIn: 1 });
  assert.equal(earlier.status, 'failure');
  assert.match(
    earlier.body,
    /> Attempt 2 did not measure again: this is the result of attempt 1\.\n\n## fine/,
  );
});
