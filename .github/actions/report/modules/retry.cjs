// Calls of the API, repeated where a repetition can help, a bounded number of times.
//
// github-script's own `retries` also repeats a 404, without a pause, and does not wait for `retry-after`.
'use strict';

const ATTEMPTS = 4;
const FIRST_PAUSE_SECONDS = 1;
/** GitHub asks for at least this after a secondary limit that names no time. */
const LIMIT_PAUSE_SECONDS = 60;
/** Longer than this a job does not wait: the next run reports again. */
const LONGEST_PAUSE_SECONDS = 300;

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/**
 * Seconds until a failed call may be made again, or null where that would not help: a wrong request
 * (401, 404, 422), a missing permission (403 without a rate limit).
 *
 * @param {{status?: number, message?: string, response?: {headers?: Record<string, string>}}} error
 * @param {number} attempt how many calls failed, from 1 on
 * @param {number} now seconds since 1970
 */
function pause(error, attempt, now) {
  const status = error.status;
  const headers = error.response?.headers ?? {};
  if (status === 429 || (status === 403 && isRateLimit(error, headers))) {
    const seconds = limitPause(headers, now);
    return seconds <= LONGEST_PAUSE_SECONDS ? seconds : null;
  }
  // Without a status the answer was lost on the way.
  if (status === undefined || status >= 500) return FIRST_PAUSE_SECONDS * 2 ** (attempt - 1);
  return null;
}

function isRateLimit(error, headers) {
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /rate limit/i.test(error.message ?? '')
  );
}

function limitPause(headers, now) {
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after)) return Math.max(after, 0);
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset)) {
    return Math.max(reset - now, 0) + 1;
  }
  return LIMIT_PAUSE_SECONDS;
}

/**
 * Runs `call` until it succeeds, fails for good, or has failed too often; then throws its last error.
 * `call` is repeated whole: what it creates it must look for first.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @param {{say?: (line: string) => void, sleep?: (seconds: number) => Promise<void>,
 *          now?: () => number}} [world]
 * @returns {Promise<T>}
 */
async function retry(call, { say = () => {}, sleep = wait, now = () => Date.now() / 1000 } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      // A mistake in our own code has no status either, and repeating it fixes nothing.
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
      const seconds = attempt < ATTEMPTS ? pause(error, attempt, now()) : null;
      if (seconds === null) throw error;
      say(`attempt ${attempt} of ${ATTEMPTS} failed (${error.status ?? 'no answer'}); again in ${seconds} s`);
      await sleep(seconds);
    }
  }
}

/** {@link retry} that says what it does in the log of a step; `world` is that of a test. */
function retrying(core, world = {}) {
  return (call) => retry(call, { say: core.info, ...world });
}

module.exports = { ATTEMPTS, pause, retry, retrying };
