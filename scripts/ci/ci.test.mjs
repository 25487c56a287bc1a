// The scripts of the action that decide something by themselves: whose code is measured, and which downloads stay.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));

function folder(t) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-ci-'));
  t.after(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** Runs guard.sh for an event, and returns its exit code with what it said. */
function guard(t, of) {
  const environment = {
    PATH: process.env.PATH,
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_STEP_SUMMARY: path.join(folder(t), 'summary'),
    HEAD_REPOSITORY: 'o/r',
    AUTHOR_TYPE: 'User',
    FORKS: 'refuse',
    BOTS: 'refuse',
    ...of,
  };
  const done = spawnSync(path.join(HERE, 'guard.sh'), { env: environment, encoding: 'utf8' });
  return { exit: done.status, said: done.stdout };
}

/** A server in a folder whose repository o/r has two commits, and a history where it is asked for. */
function server(t, history) {
  const root = folder(t);
  const repository = path.join(root, 'o/r');
  const git = (...of) => execFileSync('git', ['-C', repository, ...of], { encoding: 'utf8', env: GIT });
  fs.mkdirSync(repository, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  for (const message of ['one', 'two']) {
    fs.writeFileSync(path.join(repository, 'code'), message);
    git('add', 'code');
    git('commit', '--quiet', '--message', message);
  }
  if (history) git('branch', 'benchgate-history');
  return { url: `file://${root}`, git };
}

const GIT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** Runs fetch-history.sh; returns the folder that it fetched into, and what it said. */
function fetchHistory(t, url) {
  const into = path.join(folder(t), 'history');
  const env = { ...GIT, GITHUB_SERVER_URL: url, GITHUB_REPOSITORY: 'o/r', TOKEN: 'secret', BRANCH: 'main' };
  const done = spawnSync(path.join(HERE, 'fetch-history.sh'), [into], { env, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return { into, said: done.stdout };
}

test('the history is fetched with the commits of the default branch, without their files', (t) => {
  const { url, git } = server(t, true);
  const { into } = fetchHistory(t, url);
  const there = (...of) => execFileSync('git', ['-C', into, ...of], { encoding: 'utf8', env: GIT });
  assert.equal(there('rev-list', 'origin/line'), git('rev-list', 'main'));
  assert.equal(there('show', 'benchgate-history:code'), 'two');
  const earlier = git('rev-parse', 'main~:code').trim();
  const env = { ...GIT, GIT_NO_LAZY_FETCH: '1' };
  const known = spawnSync('git', ['-C', into, 'cat-file', '-e', earlier], { env });
  assert.notEqual(known.status, 0);
  assert.deepEqual(fs.readdirSync(into), ['.git']);
});

test('where there is no history, nothing is left and the step goes on', (t) => {
  for (const url of [server(t, false).url, 'file:///nowhere']) {
    const { into, said } = fetchHistory(t, url);
    assert.equal(fs.existsSync(into), false);
    assert.match(said, /^no history: /);
  }
});

test('code of forks and of bots is measured only where the inputs say so', (t) => {
  const fork = { HEAD_REPOSITORY: 'outsider/r' };
  const gone = { HEAD_REPOSITORY: '' };
  const bot = { AUTHOR_TYPE: 'Bot' };
  const others = { GITHUB_EVENT_NAME: 'push', HEAD_REPOSITORY: '', AUTHOR_TYPE: '' };
  for (const [of, exit, words] of [
    [{}, 0, /^$/],
    [others, 0, /^$/],
    [{ ...others, GITHUB_EVENT_NAME: 'merge_group' }, 0, /^$/],
    [{ ...others, GITHUB_EVENT_NAME: 'schedule' }, 0, /^$/],
    [fork, 1, /the code of a fork does not run/],
    [gone, 1, /the code of a fork does not run/],
    [{ ...fork, FORKS: 'measure' }, 0, /^$/],
    [{ ...fork, ...bot, FORKS: 'measure' }, 1, /a bot opened this pull request/],
    [bot, 1, /a bot opened this pull request/],
    [{ ...bot, BOTS: 'measure' }, 0, /^$/],
    [{ ...others, GITHUB_EVENT_NAME: 'pull_request_target' }, 1, /with the trust of the default branch/],
    [{ ...others, GITHUB_EVENT_NAME: 'workflow_run' }, 1, /with the trust of the default branch/],
    [{ FORKS: 'perhaps' }, 1, /the input forks is neither `refuse` nor `measure`/],
    [{ BOTS: '' }, 1, /the input bots is neither/],
  ]) {
    const done = guard(t, of);
    assert.equal(done.exit, exit, JSON.stringify(of));
    assert.match(done.said, words);
  }
});

const digest = (text) => createHash('sha256').update(text).digest('hex');
const locked = (name, text) =>
  `[[package]]\nname = "${name}"\nversion = "1.0.0"\nchecksum = "${digest(text)}"\n`;

/** Runs verify-downloads on these files of a cache, and returns which are left. */
function verified(t, files, locks) {
  const home = folder(t);
  const cache = path.join(home, 'registry/cache/index.example-1');
  fs.mkdirSync(cache, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(cache, name), text);
  const paths = locks.map((text, index) => {
    const lock = path.join(home, `${index}.lock`);
    if (text !== null) fs.writeFileSync(lock, text);
    return lock;
  });
  const said = execFileSync(path.join(HERE, 'verify-downloads'), paths, {
    env: { PATH: process.env.PATH, CARGO_HOME: home },
    encoding: 'utf8',
  });
  return { left: fs.readdirSync(cache).sort(), said };
}

test('a package that a cache brought stays only where it is what a lock file names', (t) => {
  const locks = [locked('a', 'good'), locked('b', 'another') + locked('a', 'of another registry'), null];
  const files = {
    'a-1.0.0.crate': 'good',
    'b-1.0.0.crate': 'poisoned',
    'c-1.0.0.crate': 'not asked for',
    '::error::x': 'a command',
  };
  const { left, said } = verified(t, files, locks);
  assert.deepEqual(left, ['a-1.0.0.crate']);
  assert.match(said, /removed: 'b-1\.0\.0\.crate' is not what the lock file names/);
  assert.match(said, /removed: 'c-1\.0\.0\.crate' is in no lock file/);
  assert.ok(!/^::/m.test(said), said);
  assert.match(said, /^1 downloaded packages are what the lock files name$/m);
});

test('a lock file that cannot be read stops the run, before anything is believed', (t) => {
  assert.throws(() => verified(t, {}, ['[[package']), /not read as a lock file/);
});

test('nothing that a program prints is a command to the runner', () => {
  const script = `. ${HERE}/common.sh; without_commands printf '##[error]x\\n::set-output name=exit::0\\n'; echo after`;
  const said = execFileSync('bash', ['-c', script], {
    env: { PATH: process.env.PATH, RUNNER_TEMP: '/tmp' },
    encoding: 'utf8',
  });
  const lines = said.split('\n').filter(Boolean);
  const token = /^::stop-commands::([0-9a-f]{32})$/.exec(lines[0])[1];
  assert.deepEqual(lines.slice(1), ['##[error]x', '::set-output name=exit::0', `::${token}::`, 'after']);
});
