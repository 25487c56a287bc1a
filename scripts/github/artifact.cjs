// The artifact of the measuring run: untrusted files, checked before anything reads them.
//
// Files, sizes and `run.json` are checked here; schema and numbers of `result.json` by the renderer.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { RUN_SCHEMA } = require('./constants.cjs');

/** The largest files that are read. A result of ten thousand benchmarks is a third of the first. */
const LARGEST = { 'result.json': 16 * 1024 * 1024, 'run.json': 16 * 1024 };
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * @typedef {{state: 'result' | 'absent' | 'refused', reason: string, exit: number | null,
 *            base: string}} Artifact
 * `absent`: there is no result, and `exit` is how measuring ended, where it says so.
 */

/**
 * Checks the unpacked artifact.
 *
 * @param {string} folder
 * @param {string} headSha the commit that the workflow run is of, as GitHub says
 * @returns {Artifact}
 */
function check(folder, headSha) {
  const files = list(folder);
  const bad = problem(files);
  if (bad) return refused(bad);
  const names = files.map((file) => file.name);
  if (!names.includes('run.json')) {
    if (names.length === 0) return { state: 'absent', reason: '', exit: null, base: '' };
    return refused('there is a result.json and no run.json');
  }
  const run = parseRun(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'), headSha);
  if (typeof run === 'string') return refused(run);
  const state = names.includes('result.json') ? 'result' : 'absent';
  return { state, reason: '', exit: run.exit, base: run.base };
}

/** @returns {{name: string, regular: boolean, size: number}[]} */
function list(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).map((name) => {
    const stat = fs.lstatSync(path.join(folder, name));
    return { name, regular: stat.isFile(), size: stat.size };
  });
}

/** What is wrong with the files, or nothing. It repeats no file name: names are untrusted. */
function problem(files) {
  for (const { name, regular, size } of files) {
    if (!Object.hasOwn(LARGEST, name)) {
      return 'the artifact holds a file that is neither result.json nor run.json';
    }
    if (!regular) return `${name} is not a regular file`;
    if (size > LARGEST[name]) return `${name} has ${size} bytes, more than ${LARGEST[name]}`;
  }
  return null;
}

/**
 * Reads `run.json`.
 *
 * @param {string} text
 * @param {string} headSha
 * @returns {{exit: number, base: string} | string} or what is wrong
 */
function parseRun(text, headSha) {
  let run;
  try {
    run = JSON.parse(text);
  } catch {
    return 'run.json is not JSON';
  }
  if (run === null || typeof run !== 'object' || run.schema !== RUN_SCHEMA) {
    return `run.json is not of the schema ${RUN_SCHEMA}`;
  }
  if (!Number.isInteger(run.exit) || run.exit < 0 || run.exit > 255) {
    return 'run.json: `exit` is not an exit code';
  }
  if (typeof run.head_sha !== 'string' || !COMMIT.test(run.head_sha)) {
    return 'run.json: `head_sha` is not a commit';
  }
  if (run.head_sha !== headSha) return 'run.json is of another commit than the workflow run';
  const base = typeof run.base_sha === 'string' && COMMIT.test(run.base_sha) ? run.base_sha : '';
  return { exit: run.exit, base };
}

function refused(reason) {
  return { state: 'refused', reason, exit: null, base: '' };
}

module.exports = { LARGEST, check, parseRun, problem };
