// The renderer, run on a checked artifact. It is the trusted reader of `result.json`: what it refuses
// is not shown.
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { block } = require('./block.cjs');
const { SUMMARY_SCHEMA, VERDICT_EXITS } = require('./constants.cjs');

/** GitHub takes 65,536 characters. What is left is for the marker and for JSON: the next job gets this as one
 * variable, of 128 KiB at most. */
const MOST_BYTES = 60_000;

const LONGEST_REASON = 300;

/** Findings that are no reason for a comment where only findings are. */
const QUIET = ['unchanged', 'identical', 'new', 'renamed', 'skipped'];

/** @typedef {{renderer: string, artifact: string, headSha: string, folder?: string}} Rendered what is rendered, by what,
 * and in which folder */

/**
 * @param {Rendered} of
 * @param {string} format
 * @param {string[]} more
 */
function report({ renderer, artifact, headSha, folder }, format, ...more) {
  const result = path.join(artifact, 'result.json');
  return execFileSync(renderer, ['report', result, '--head', headSha, '--format', format, ...more], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
}

/**
 * Writes the HTML report into a file. It shows the runs before that the repository in the folder `history` knows.
 *
 * @param {Rendered & {runUrl: string, file: string, history?: string}} of
 * @returns {string} why there is none, or nothing
 */
function page({ file, runUrl, history, ...of }) {
  try {
    const folder = history && fs.existsSync(history) ? history : undefined;
    const html = report({ ...of, folder }, 'html', '--run-url', runUrl);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, html);
    return '';
  } catch (error) {
    return firstLine(String(error.stderr || error.message));
  }
}

/**
 * Renders the comment and the summary.
 *
 * @param {Rendered & {runUrl: string, pageUrl: string, exit: number}} of
 * @returns {{state: 'result', verdict: string, body: string, line: string, isQuiet: boolean} |
 *           {state: 'refused', reason: string}}
 */
function render({ runUrl, pageUrl, exit, ...of }) {
  const links = ['--run-url', runUrl, ...(pageUrl ? ['--page-url', pageUrl] : [])];
  let summary;
  let body;
  try {
    summary = JSON.parse(report(of, 'summary'));
    body = report(of, 'github', ...links, '--max-bytes', String(MOST_BYTES));
  } catch (error) {
    return { state: 'refused', reason: firstLine(String(error.stderr || error.message)) };
  }
  const { schema, verdict, line, findings } = summary;
  if (schema !== SUMMARY_SCHEMA || !Object.hasOwn(VERDICT_EXITS, verdict) || typeof line !== 'string') {
    return { state: 'refused', reason: `the renderer's summary is not of the schema ${SUMMARY_SCHEMA}` };
  }
  if (VERDICT_EXITS[verdict] !== exit) {
    return { state: 'refused', reason: `its verdict is ${verdict}, and measuring ended with exit ${exit}` };
  }
  return {
    state: 'result',
    verdict,
    body: body + critcmp(of.artifact, MOST_BYTES - Buffer.byteLength(body)),
    line,
    isQuiet: verdict === 'pass' && Object.keys(findings ?? {}).every((finding) => QUIET.includes(finding)),
  };
}

/** What is longer would leave the comment no room in the variable of the next job. */
const LONGEST_RECORD = 48 * 1024;

/**
 * The record of a result for the history.
 *
 * @param {Rendered} of
 * @returns {string} empty where there is none
 */
function record({ renderer, artifact }) {
  try {
    const text = execFileSync(renderer, ['history', 'record', path.join(artifact, 'result.json')], {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    return text.length <= LONGEST_RECORD ? text : '';
  } catch {
    return '';
  }
}

/** critcmp's tables of the committed baseline and this run, folded, where they fit. They decide nothing. */
function critcmp(artifact, room) {
  const file = path.join(artifact, 'critcmp.txt');
  if (!fs.existsSync(file)) return '';
  const summary = "critcmp's tables: the committed baseline of this machine, and this run";
  const folded = `\n<details><summary>${summary}</summary>\n\n${block(fs.readFileSync(file, 'utf8'))}\n</details>\n`;
  return Buffer.byteLength(folded) <= room ? folded : '';
}

/** The first line of what the renderer said, without the path of a runner's folder. */
function firstLine(text) {
  const line = text
    .split('\n', 1)[0]
    .replace(/^error: /, '')
    .replace(/^\S*\/result\.json/, 'result.json');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

module.exports = { MOST_BYTES, page, record, render };
