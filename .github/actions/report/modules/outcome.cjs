// What a run came to: the state of its commit status, its line, and the comment where no result says it.
'use strict';

const { EXIT_MEANINGS } = require('./constants.cjs');

const REMEDY = {
  fork:
    'The branch comes from a fork, and untrusted code does not run on the machine that measures. A ' +
    'maintainer who has read the change can push its branch to this repository and open a pull request from ' +
    'there; the gate is red until then.',
  crashed: 'The end of the log of the job `measure` says why. This says nothing about speed.',
  bot:
    'A bot opened this pull request, and its code does not run on the machine that measures until somebody has ' +
    'read it. A maintainer who has read the change can run all jobs of the run again: that measures it.',
  again: 'Run it again to have it measured.',
};

/** The state of the commit status, by verdict. */
const STATES = { pass: 'success', inconclusive: 'success', regression: 'failure', incomplete: 'error' };

/**
 * @param {{conclusion: string, fork: boolean, isProven?: boolean, bot: boolean, attempt: number, doubts: string[], state: string,
 *          reason?: string, exit?: number | null, measuredIn?: number | null, verdict?: string, line?: string,
 *          body?: string, isQuiet?: boolean, runUrl: string}} run
 * `conclusion`, `fork`, `isProven` (that a machine of GitHub's measured this fork), `bot`, `attempt` and `doubts` are
 * what GitHub says; the others are of the checked and
 * rendered artifact, and `state` is empty when the reporter itself failed.
 * @returns {{status: 'success' | 'failure' | 'error', hasFindings: boolean, line: string, body: string}}
 */
function outcome(run) {
  // What a fork's own workflow uploads was not measured on the machine, whatever it says, but where GitHub proves it.
  const isBelieved = !run.fork || run.isProven === true;
  if (run.state === 'result' && run.verdict && run.line && run.body && isBelieved) {
    const said = measured(run);
    const hasFindings = said.status !== 'success' || run.isQuiet !== true;
    return { ...said, hasFindings, body: run.fork ? `${OF_FORK}${said.body}` : said.body };
  }
  const { line, why, next } = unmeasured(run);
  const body = `## ⛔ benchgate: ${line}\n\n${why} ${next}\n\n[The run](${run.runUrl})\n`;
  return { status: 'error', hasFindings: true, line, body };
}

const OF_FORK =
  "> Measured in the fork's own run, on a machine of GitHub's: this change leaves the workflows and the policy alone.\n\n";

function measured({ conclusion, verdict, line, body, doubts, attempt, measuredIn }) {
  const status = STATES[verdict] ?? 'error';
  const before =
    measuredIn && measuredIn < attempt
      ? `> Attempt ${attempt} did not measure again: this is the result of attempt ${measuredIn}.\n\n`
      : '';
  if (doubts.length > 0) {
    return {
      status: status === 'success' ? 'error' : status,
      line: `not believed: ${doubts[0]}`,
      body: `> **The status does not follow this result**: ${doubts.join('; ')}.\n\n${before}${body}`,
    };
  }
  // A result is untrusted: it cannot make a red run green.
  if (status === 'success' && conclusion !== 'success') {
    return {
      status: 'failure',
      line: `the gate is red (${conclusion}); its result says: ${line}`,
      body:
        `> The run ended as **${conclusion}**, so the gate is red whatever its result says.\n\n` +
        `${before}${body}`,
    };
  }
  return { status, line, body: `${before}${body}` };
}

function unmeasured({ conclusion, fork, isProven, bot, state, reason, exit = null }) {
  if (fork && state === 'refused') {
    return {
      line: 'not measured: from a fork',
      why: `What this fork's own run measured is not believed: ${escaped(reason ?? '')}.`,
      next: REMEDY.fork,
    };
  }
  if (fork && isProven !== true) return { line: 'not measured: from a fork', why: REMEDY.fork, next: '' };
  if (state === 'refused') {
    return {
      line: 'not measured: the result was refused',
      why: `The run left a result that cannot be trusted: ${escaped(reason ?? '')}.`,
      next: REMEDY.crashed,
    };
  }
  if (state !== 'absent') {
    return {
      line: 'not reported: the reporter failed',
      why: 'The run may have left a result, and rendering it failed.',
      next: 'The log of the workflow `report` says why.',
    };
  }
  if (exit !== null) {
    const meaning = EXIT_MEANINGS[exit] ?? 'no exit code of benchgate';
    return {
      line: `not measured: exit ${exit} and no result`,
      why: `\`benchgate check\` ended with exit ${exit} (${meaning}) and left no result.`,
      next: REMEDY.crashed,
    };
  }
  if (bot && conclusion === 'failure') {
    return { line: 'not measured: opened by a bot', why: REMEDY.bot, next: '' };
  }
  const words = {
    cancelled: ['not measured: cancelled', 'The run was cancelled before there was a result.', REMEDY.again],
    timed_out: ['not measured: timed out', 'The run took longer than it may.', REMEDY.crashed],
    action_required: ['not measured: waits for approval', "The run waits for a maintainer's approval.", ''],
    skipped: ['not measured: skipped', 'Measuring was skipped, and what did not run is not a pass.', ''],
    success: [
      'not measured: there is no result',
      'The run ended green and left no result, so nothing says that anything was measured.',
      REMEDY.crashed,
    ],
  }[conclusion] ?? ['not measured: it failed', 'The run failed before there was a result.', REMEDY.crashed];
  const [line, why, next] = words;
  return { line, why, next };
}

/** Untrusted text as a code span that it cannot end. */
function escaped(text) {
  return `\`${text.replace(/[^\x20-\x5f\x61-\x7e…]/g, '?')}\``;
}

module.exports = { escaped, outcome, STATES };
