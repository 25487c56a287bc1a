// What the tests of these scripts have in common.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = path.dirname(fileURLToPath(import.meta.url));

export function folder(t) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-ci-'));
  t.after(() => fs.rmSync(made, { recursive: true }));
  return made;
}

export const GIT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** A server in a folder whose repository o/r has two commits, and a history where it is asked for. */
export function server(t, history) {
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

/** Runs a script of an action step with a stand-in of benchgate, and returns what that was called with. `more`: what
 * else the stand-in does; `leave`: what is there before. */
export function called(t, script, of, more = '', leave = () => {}) {
  const temp = folder(t);
  leave(temp);
  const tool = path.join(temp, 'benchgate-tools/bin/benchgate');
  fs.mkdirSync(path.dirname(tool), { recursive: true });
  fs.writeFileSync(tool, `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done >>${temp}/called\n${more}\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: process.env.PATH,
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: path.join(temp, 'output'),
    GITHUB_STEP_SUMMARY: path.join(temp, 'summary'),
    METHOD: 'paired',
    BASE: 'b',
    HEAD: 'h',
    ...{
      SUITES: '',
      FILTER: '',
      BENCHMARKS: '',
      BUDGET: '',
      LEVELS: '',
      SHARD: '',
      FAIL_ON: '',
      TIMEOUT: '',
    },
    ...of,
  };
  const done = spawnSync(path.join(HERE, script), { env, encoding: 'utf8', cwd: temp });
  const words = fs.existsSync(`${temp}/called`) ? fs.readFileSync(`${temp}/called`, 'utf8').split('\n') : [];
  return { exit: done.status, said: done.stdout, wrong: done.stderr, words, temp };
}

/** Files as download-artifact leaves those of a pattern: in a folder for each artifact, or in none where it is one. */
export function unpacked(temp, into, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(temp, into, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (content) fs.writeFileSync(file, content);
    else fs.symlinkSync('/etc/passwd', file);
  }
}
