// The renderer, run on a checked artifact. It is the trusted reader of `result.json`: what it refuses
// is not shown.
'use strict';

const { execFileSync } = require('node:child_process');

/** GitHub takes 65,536 characters; the marker stands before these. */
const MOST_BYTES = 65_000;

/** The verdicts of a result, and the exit code that each has. */
const EXITS = { pass: 0, regression: 100, incomplete: 101, inconclusive: 102 };

const LONGEST_REASON = 300;

/**
 * Renders the comment and the one-line verdict.
 *
 * @param {{renderer: string, result: string, headSha: string, runUrl: string, exit: number}} of
 * @returns {{state: 'result', body: string, line: string} | {state: 'refused', reason: string}}
 */
function render({ renderer, result, headSha, runUrl, exit }) {
  const report = (format, ...more) =>
    execFileSync(renderer, ['report', result, '--head', headSha, '--format', format, ...more], {
      encoding: 'utf8',
      maxBuffer: 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
  let line;
  let body;
  try {
    line = report('line').trim();
    body = report('github', '--run-url', runUrl, '--max-bytes', String(MOST_BYTES));
  } catch (error) {
    return { state: 'refused', reason: firstLine(String(error.stderr || error.message)) };
  }
  const verdict = line.split(':', 1)[0];
  if (EXITS[verdict] !== exit) {
    return { state: 'refused', reason: `its verdict is ${verdict}, and measuring ended with exit ${exit}` };
  }
  return { state: 'result', body, line };
}

/** The first line of what the renderer said, without the path of a runner's folder. */
function firstLine(text) {
  const line = text.split('\n', 1)[0].replace(/^error: /, '').replace(/^\S*\/result\.json/, 'result.json');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

module.exports = { EXITS, MOST_BYTES, render };
