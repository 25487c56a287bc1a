// The artifact of the measuring run: untrusted files, checked before anything reads them.
//
// Files, sizes and `run.json` are checked here; schema and numbers of `result.json` by the renderer.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { RUN_SCHEMA } = require('./constants.cjs');

/** The largest files that are read. A result of ten thousand benchmarks is a third of the first. */
const LARGEST = { 'result.json': 16 * 1024 * 1024, 'run.json': 16 * 1024, 'critcmp.txt': 64 * 1024 };
const NOTHING = { reason: '', exit: null, base: '', baseRef: '', attempt: null };
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * @typedef {{state: 'result' | 'absent' | 'refused', reason: string, exit: number | null,
 *            base: string, baseRef: string, attempt: number | null}} Artifact
 * `absent`: there is no result, and `exit` is how measuring ended, where it says so. `attempt`: which one
 * of the run measured; where only other jobs ran again, it is an earlier one.
 */

/** @typedef {{headSha: string, id: number, attempt: number}} Run what GitHub says of the run */

/**
 * The artifact of the newest attempt of a run up to this one, among those of all attempts, which were unpacked into a
 * folder each. GitHub does not say which attempt an artifact is from, so its name does. A single artifact is unpacked
 * without a folder, and only `run.json` says its attempt.
 *
 * @param {string} folder
 * @param {number} attempt
 * @returns {{folder: string, attempt: number | null}}
 */
function newest(folder, attempt) {
  const all = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  const named = all
    .filter((entry) => entry.isDirectory() && /-attempt-\d{1,6}$/.test(entry.name))
    .map(({ name }) => ({ folder: path.join(folder, name), attempt: Number(name.split('-').at(-1)) }));
  if (named.length === 0) return { folder, attempt: null };
  const [first] = named.filter((one) => one.attempt <= attempt).sort((a, b) => b.attempt - a.attempt);
  return first ?? { folder: path.join(folder, 'none'), attempt: null };
}

/**
 * Moves the newest artifact among those in `ATTEMPTS` to `ARTIFACT`. Returns the attempt that its name says.
 *
 * @param {{ATTEMPTS: string, ARTIFACT: string}} env
 * @param {number} attempt
 */
function take({ ATTEMPTS, ARTIFACT }, attempt) {
  const found = newest(ATTEMPTS, attempt);
  if (fs.existsSync(found.folder)) fs.renameSync(found.folder, ARTIFACT);
  return found.attempt;
}

/**
 * Checks the unpacked artifact.
 *
 * @param {string} folder
 * @param {Run} run
 * @param {number | null} [attempt] which one its name says it is of
 * @returns {Artifact}
 */
function check(folder, run, attempt = null) {
  const files = list(folder);
  const bad = problem(files);
  if (bad) return refused(bad);
  const names = files.map((file) => file.name);
  if (!names.includes('run.json')) {
    if (names.length === 0) return absent();
    return refused('there is a result.json and no run.json');
  }
  const record = parseRun(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'), run);
  if (typeof record === 'string') return refused(record);
  if (attempt !== null && record.attempt !== attempt)
    return refused('run.json is of another attempt than its artifact');
  return { state: names.includes('result.json') ? 'result' : 'absent', reason: '', ...record };
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
      return `the artifact holds a file that is none of ${Object.keys(LARGEST).join(', ')}`;
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
 * @param {Run} of
 * @returns {{exit: number, base: string, baseRef: string, attempt: number} | string} or what is wrong
 */
function parseRun(text, of) {
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
  if (run.head_sha !== of.headSha) return 'run.json is of another commit than the workflow run';
  if (run.run_id !== of.id) return 'run.json is of another workflow run';
  if (!Number.isInteger(run.attempt) || run.attempt < 1 || run.attempt > of.attempt) {
    return 'run.json: `attempt` is not an attempt of the workflow run';
  }
  const base = typeof run.base_sha === 'string' && COMMIT.test(run.base_sha) ? run.base_sha : '';
  // Not one of another repository, which GitHub compares with, too.
  const baseRef = typeof run.base_ref === 'string' && !run.base_ref.includes(':') ? run.base_ref : '';
  return { exit: run.exit, base, baseRef, attempt: run.attempt };
}

/** There is none. */
function absent() {
  return { ...NOTHING, state: 'absent' };
}

function refused(reason) {
  return { ...NOTHING, state: 'refused', reason };
}

module.exports = { LARGEST, absent, check, newest, parseRun, problem, refused, take };
