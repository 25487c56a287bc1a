// The renderer, run on a checked artifact. It is the trusted reader of `result.json`: what it refuses
// is not shown.
'use strict';

const { execFileSync } = require('node:child_process');

const { SUMMARY_SCHEMA, VERDICT_EXITS } = require('./constants.cjs');

/** GitHub takes 65,536 characters; the marker comes before these. */
const MOST_BYTES = 65_000;

const LONGEST_REASON = 300;

/**
 * Renders the comment and the summary.
 *
 * @param {{renderer: string, result: string, headSha: string, runUrl: string, exit: number}} of
 * @returns {{state: 'result', verdict: string, body: string, line: string} |
 *           {state: 'refused', reason: string}}
 */
function render({ renderer, result, headSha, runUrl, exit }) {
  const report = (format, ...more) =>
    execFileSync(renderer, ['report', result, '--head', headSha, '--format', format, ...more], {
      encoding: 'utf8',
      maxBuffer: 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
  let summary;
  let body;
  try {
    summary = JSON.parse(report('summary'));
    body = report('github', '--run-url', runUrl, '--max-bytes', String(MOST_BYTES));
  } catch (error) {
    return { state: 'refused', reason: firstLine(String(error.stderr || error.message)) };
  }
  const { schema, verdict, line } = summary;
  if (schema !== SUMMARY_SCHEMA || !Object.hasOwn(VERDICT_EXITS, verdict) || typeof line !== 'string') {
    return { state: 'refused', reason: `the renderer's summary is not of the schema ${SUMMARY_SCHEMA}` };
  }
  if (VERDICT_EXITS[verdict] !== exit) {
    return { state: 'refused', reason: `its verdict is ${verdict}, and measuring ended with exit ${exit}` };
  }
  return { state: 'result', verdict, body, line };
}

/** The first line of what the renderer said, without the path of a runner's folder. */
function firstLine(text) {
  const line = text
    .split('\n', 1)[0]
    .replace(/^error: /, '')
    .replace(/^\S*\/result\.json/, 'result.json');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

module.exports = { MOST_BYTES, render };
