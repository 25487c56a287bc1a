// What a run came to: the state of its commit status, its line, and the comment where no result says it.
'use strict';

const REMEDY = {
  fork:
    'The branch comes from a fork, and strangers\' code does not run on the machine that measures. A ' +
    'maintainer who has read the change can push its branch to this repository; the gate is red until ' +
    'then.',
  crashed: 'The end of the log of the job `measure` says why. This says nothing about speed.',
  again: 'Run it again to have it measured.',
};

const EXIT_MEANING = {
  0: 'pass',
  1: 'internal error of benchgate',
  2: 'usage or configuration error',
  100: 'regression proven',
  101: 'could not measure',
  102: 'inconclusive',
};

const STATES = { pass: 'success', inconclusive: 'success', regression: 'failure', incomplete: 'error' };

/**
 * @param {{conclusion: string, fork: boolean, state: string, reason?: string, exit?: number | null,
 *          line?: string, body?: string, runUrl: string}} run
 * `conclusion` and `fork` are GitHub's word; `state` is that of the checked and rendered artifact, empty
 * when the reporter itself failed.
 * @returns {{status: 'success' | 'failure' | 'error', line: string, body: string}}
 */
function outcome(run) {
  // What a fork's own workflow uploads was not measured on the machine, whatever it says.
  if (run.state === 'result' && run.line && run.body && !run.fork) return measured(run);
  const { line, why, next } = unmeasured(run);
  const body = `## ⛔ benchgate: ${line}\n\n${why} ${next}\n\n[The run](${run.runUrl})\n`;
  return { status: 'error', line, body };
}

function measured({ conclusion, line, body }) {
  const status = STATES[line.split(':', 1)[0]] ?? 'error';
  // A result is a stranger's word: it can make a red run no greener.
  if (status === 'success' && conclusion !== 'success') {
    return {
      status: 'failure',
      line: `the gate is red (${conclusion}); its result says: ${line}`,
      body: `> The run ended as **${conclusion}**, so the gate is red whatever its result says.\n\n${body}`,
    };
  }
  return { status, line, body };
}

function unmeasured({ conclusion, fork, state, reason, exit = null }) {
  if (fork) return { line: 'not measured: from a fork', why: REMEDY.fork, next: '' };
  if (state === 'refused') {
    return {
      line: 'not measured: the result was refused',
      why: `The run left a result that cannot be trusted: ${inert(reason ?? '')}.`,
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
    const meaning = EXIT_MEANING[exit] ?? 'no exit code of benchgate';
    return {
      line: `not measured: exit ${exit} and no result`,
      why: `\`benchgate check\` ended with exit ${exit} (${meaning}) and left no result.`,
      next: REMEDY.crashed,
    };
  }
  const words = {
    cancelled: ['not measured: cancelled', 'The run was cancelled before there was a result.', REMEDY.again],
    timed_out: ['not measured: timed out', 'The run took longer than it may.', REMEDY.crashed],
    action_required: [
      'not measured: waits for approval',
      'The run waits for a maintainer\'s approval.',
      '',
    ],
    skipped: ['not measured: skipped', 'Measuring was skipped, and what did not run is no pass.', ''],
    success: [
      'not measured: there is no result',
      'The run ended green and left no result, so nothing says that anything was measured.',
      REMEDY.crashed,
    ],
  }[conclusion] ?? ['not measured: it failed', 'The run failed before there was a result.', REMEDY.crashed];
  const [line, why, next] = words;
  return { line, why, next };
}

/** A code span that a stranger's text cannot leave. */
function inert(text) {
  return `\`${text.replace(/[^\x20-\x5f\x61-\x7e…]/g, '?')}\``;
}

module.exports = { inert, outcome };
