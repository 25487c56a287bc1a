// The scripts of the action that decide something by themselves: whose code is measured, and which downloads stay.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { called, folder, GIT, HERE, server, unpacked } from './testing.mjs';

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
    [{ ...fork, FORKS: 'auto', RUNNER_ENVIRONMENT: 'github-hosted' }, 0, /^$/],
    [{ ...fork, FORKS: 'auto', RUNNER_ENVIRONMENT: 'self-hosted' }, 1, /a machine that is not GitHub's/],
    [{ ...fork, FORKS: 'auto' }, 1, /a machine that is not GitHub's/],
    [{ FORKS: 'auto' }, 0, /^$/],
    [{ ...fork, RUNNER_ENVIRONMENT: 'github-hosted' }, 1, /the code of a fork does not run/],
    [{ ...bot, GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'octocat' }, 0, /^$/],
    [{ ...bot, GITHUB_RUN_ATTEMPT: '1', GITHUB_TRIGGERING_ACTOR: 'octocat' }, 1, /run all jobs again/],
    [
      { ...bot, GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'dependabot[bot]' },
      1,
      /run all jobs again/,
    ],
    [{ ...bot, GITHUB_RUN_ATTEMPT: '2' }, 1, /run all jobs again/],
    [{ ...fork, GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'octocat' }, 1, /the code of a fork/],
    [{ FORKS: 'perhaps' }, 1, /the input forks is neither `refuse`, `auto` nor `measure`/],
    [{ BOTS: '' }, 1, /the input bots is neither/],
    [{ ...bot, BOTS: 'auto', RUNNER_ENVIRONMENT: 'github-hosted' }, 0, /^$/],
    [{ ...bot, BOTS: 'auto', RUNNER_ENVIRONMENT: 'self-hosted' }, 1, /run all jobs again/],
    [{ ...bot, BOTS: 'auto' }, 1, /run all jobs again/],
    // A review runs the change of a fork, too.
    [{ ...fork, GITHUB_EVENT_NAME: 'pull_request_review' }, 1, /the code of a fork does not run/],
    [{ ...gone, GITHUB_EVENT_NAME: 'pull_request_review_comment' }, 1, /the code of a fork does not run/],
  ]) {
    const done = guard(t, of);
    assert.equal(done.exit, exit, JSON.stringify(of));
    assert.match(done.said, words);
  }
});

test('what is measured knows nothing of the files by which a step talks to the runner', () => {
  const files = ['ENV', 'OUTPUT', 'PATH', 'STATE', 'STEP_SUMMARY'].map((name) => `GITHUB_${name}`);
  const env = { PATH: process.env.PATH, RUNNER_TEMP: '/tmp' };
  for (const name of files) env[name] = `/tmp/${name}`;
  const script = `. ${HERE}/common.sh; apart env`;
  const said = execFileSync('bash', ['-c', script], { env, encoding: 'utf8' });
  for (const name of files) assert.ok(!said.includes(name), `${name}: ${said}`);
});

test('what a check or a search prints is between stop-commands', (t) => {
  for (const script of ['check.sh', 'bisect.sh']) {
    const { said } = called(t, script, { BENCHMARKS: 'a' }, 'echo ::set-output name=exit::0');
    const [before, after] = said.split('::set-output name=exit::0');
    const token = /::stop-commands::([0-9a-f]{32})\n$/.exec(before)?.[1];
    assert.ok(token && after.startsWith(`\n\n::${token}::`), `${script}: ${said}`);
  }
});

test('a link that was left in the place of a result is not followed', (t) => {
  const secret = path.join(folder(t), 'secret');
  fs.writeFileSync(secret, 'root:x:0');
  const leave = (temp) => {
    fs.mkdirSync(path.join(temp, 'benchgate-output'));
    for (const name of ['result.json', 'report.html', 'report.md']) {
      fs.symlinkSync(secret, path.join(temp, 'benchgate-output', name));
    }
    fs.symlinkSync(secret, path.join(temp, 'benchgate-check.log'));
  };
  const of = { EXIT: '0', GITHUB_EVENT_NAME: 'push', GITHUB_RUN_ID: '1' };
  const { exit, temp } = called(t, 'record.sh', of, '', leave);
  assert.equal(exit, 0);
  const artifact = path.join(temp, 'benchgate-artifact');
  assert.deepEqual(fs.readdirSync(artifact), ['run.json']);
  assert.deepEqual(fs.readdirSync(path.join(temp, 'benchgate-page')), []);
  assert.ok(!fs.readFileSync(path.join(temp, 'summary'), 'utf8').includes('root:'));
});

test('downloads are fetched as locked, in a folder without settings of the checkout', (t) => {
  const temp = folder(t);
  const checkout = path.join(temp, 'checkout');
  fs.mkdirSync(path.join(checkout, '.cargo'), { recursive: true });
  fs.writeFileSync(path.join(checkout, 'Cargo.toml'), '');
  fs.mkdirSync(path.join(temp, 'bin'));
  fs.writeFileSync(path.join(temp, 'bin/cargo'), `#!/bin/sh\necho "$PWD $*" >${temp}/called\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: `${temp}/bin:${process.env.PATH}`,
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: path.join(temp, 'output'),
  };
  execFileSync(path.join(HERE, 'fetch.sh'), { env, cwd: checkout });
  const [cwd, ...words] = fs.readFileSync(`${temp}/called`, 'utf8').trim().split(' ');
  assert.deepEqual(words, ['fetch', '--locked', '--manifest-path', `${checkout}/Cargo.toml`]);
  assert.ok(!`${cwd}/`.startsWith(`${checkout}/`), cwd);
});

test('a base that is not there is an error, and only a push has its parent instead', (t) => {
  const { git } = server(t, false);
  const cwd = git('rev-parse', '--show-toplevel').trim();
  for (const [event, exit] of [
    ['pull_request', 1],
    ['merge_group', 1],
    ['push', 0],
  ]) {
    const temp = folder(t);
    const env = {
      ...GIT,
      RUNNER_TEMP: temp,
      GITHUB_OUTPUT: path.join(temp, 'output'),
      GITHUB_EVENT_NAME: event,
      EVENT_BASE: '0'.repeat(40),
    };
    const done = spawnSync(path.join(HERE, 'revisions.sh'), { env, cwd, encoding: 'utf8' });
    assert.equal(done.status, exit, event);
    const parent = git('rev-parse', 'HEAD^').trim();
    assert.equal(done.stdout.includes(`base ${parent}`), exit === 0, event);
  }
});

test('no compiler of the checkout runs outside of the sandbox', (t) => {
  // rustup runs what a `rust-toolchain.toml` of this folder names by a path.
  for (const script of ['check.sh', 'bisect.sh', 'doctor.sh', 'bases.sh', 'save-baseline.sh']) {
    const bin = folder(t);
    for (const name of ['rustc', 'cargo', 'rustup']) {
      fs.writeFileSync(path.join(bin, name), `#!/bin/sh\ntouch ${bin}/ran\n`, { mode: 0o755 });
    }
    called(t, script, { PATH: `${bin}:${process.env.PATH}`, BENCHMARKS: 'a' });
    assert.ok(!fs.existsSync(path.join(bin, 'ran')), script);
  }
});

test('an attempt that is given nothing of an earlier one says so', (t) => {
  const said = (of, leave) => called(t, 'check.sh', of, '', leave);
  assert.match(said({ GITHUB_RUN_ATTEMPT: '2' }).said, /::notice .*counts as a first one/);
  assert.doesNotMatch(said({ GITHUB_RUN_ATTEMPT: '1' }).said, /::notice/);
  assert.doesNotMatch(said({ GITHUB_RUN_ATTEMPT: '2', SHARD: '1/2' }).said, /::notice/);
  const { said: words, words: given } = said({ GITHUB_RUN_ATTEMPT: '2' }, (temp) => {
    fs.mkdirSync(path.join(temp, 'benchgate-earlier'));
    fs.writeFileSync(path.join(temp, 'benchgate-earlier/result.json'), '{}');
  });
  assert.doesNotMatch(words, /::notice/);
  assert.ok(given.includes('--earlier'), given.join(' '));
});

test('an attempt goes on with the last one before it that has a result', (t) => {
  const earlier = (attempt, file = 'result.json') => `benchgate-result-attempt-${attempt}/${file}`;
  for (const [what, attempt, files, expected, shard = ''] of [
    ['the last of two', 3, { [earlier(1)]: 'a', [earlier(2)]: 'b' }, earlier(2)],
    ['of more than nine', 11, { [earlier(9)]: 'a', [earlier(10)]: 'b' }, earlier(10)],
    ['the last came to nothing', 3, { [earlier(1)]: 'a', [earlier(2, 'run.json')]: 'b' }, earlier(1)],
    ['one alone', 3, { 'result.json': 'a' }, 'result.json'],
    ['a link', 3, { [earlier(1)]: 'a', [earlier(2)]: null }, earlier(1)],
    ['not before it', 2, { [earlier(2)]: 'a', [earlier(3)]: 'b' }, undefined],
    ['a shard', 2, { 'result.json': 'a' }, undefined, '1/2'],
  ]) {
    const of = { GITHUB_RUN_ATTEMPT: String(attempt), SHARD: shard };
    const { words, temp } = called(t, 'check.sh', of, '', (into) =>
      unpacked(into, 'benchgate-earlier', files),
    );
    const at = words.indexOf('--earlier');
    const given = at < 0 ? undefined : path.relative(path.join(temp, 'benchgate-earlier'), words[at + 1]);
    assert.equal(given, expected, what);
  }
});

test('of each shard that counts which its last attempt left', (t) => {
  const shard = (number, attempt, file = 'result.json') =>
    `benchgate-result-shard-${number}-attempt-${attempt}/${file}`;
  for (const [what, attempt, files, expected] of [
    ['one attempt', 1, { [shard(1, 1)]: 'a', [shard(2, 1)]: 'b' }, [shard(1, 1), shard(2, 1)]],
    ['all again', 2, { [shard(1, 1)]: 'a', [shard(1, 2)]: 'b' }, [shard(1, 2)]],
    [
      'failed ones again',
      2,
      { [shard(1, 1)]: 'a', [shard(2, 1)]: 'b', [shard(2, 2)]: 'c' },
      [shard(1, 1), shard(2, 2)],
    ],
    ['of more than nine', 10, { [shard(1, 9)]: 'a', [shard(1, 10)]: 'b' }, [shard(1, 10)]],
    [
      'one that came to nothing',
      2,
      { [shard(1, 1)]: 'a', [shard(1, 2, 'run.json')]: 'b', [shard(2, 1)]: 'c' },
      [shard(2, 1)],
    ],
    ['one alone', 2, { 'result.json': 'a' }, ['result.json']],
    ['a link', 1, { [shard(1, 1)]: null, [shard(2, 1)]: 'b' }, [shard(2, 1)]],
  ]) {
    const of = { METHOD: 'merge', GITHUB_RUN_ATTEMPT: String(attempt) };
    const { words, temp } = called(t, 'check.sh', of, '', (into) =>
      unpacked(into, 'benchgate-shards', files),
    );
    const folder = path.join(temp, 'benchgate-shards');
    const given = words.filter((word) => word.startsWith(folder)).map((word) => path.relative(folder, word));
    assert.deepEqual(given.sort(), expected, what);
  }
});

test('a benchmark with spaces in its id can be named', (t) => {
  const FILTER = `sizes* "sizes of input/mix/64" 'a b*'\nback\\slash`;
  const { words } = called(t, 'check.sh', { FILTER, SUITES: 'one two' });
  const globs = words.filter((word) => /^--(filter|suite)=/.test(word));
  assert.deepEqual(globs, [
    '--suite=one',
    '--suite=two',
    '--filter=sizes*',
    '--filter=sizes of input/mix/64',
    '--filter=a b*',
    '--filter=back\\slash',
  ]);
  const search = called(t, 'bisect.sh', { BENCHMARKS: '"a (b)/c" d', SUITES: '' });
  const named = search.words.filter((word) => word.startsWith('--filter='));
  assert.deepEqual(named, ['--filter=a (b)/c', '--filter=d']);
});

test('a quotation mark that is not closed stops the step, and nothing is measured', (t) => {
  for (const script of ['check.sh', 'bisect.sh']) {
    const { exit, said, words } = called(t, script, { FILTER: 'a "b', BENCHMARKS: 'a "b' });
    assert.equal(exit, 1);
    assert.match(said, /::error title=benchgate::the input filter has a quotation mark that is not closed/);
    assert.deepEqual(words, []);
  }
});

test('what no method is called is an error that names every method', (t) => {
  const { exit, said } = called(t, 'check.sh', { METHOD: 'guess' });
  assert.equal(exit, 1);
  const action = fs.readFileSync(path.join(HERE, '../../.github/actions/benchgate/action.yml'), 'utf8');
  const [, text] = /\n {2}method:\n {4}description: "(.*?)"\n/s.exec(action);
  const methods = [...text.matchAll(/`([a-z-]+)` (?:with|measures|searches)/g)].map((match) => match[1]);
  assert.ok(methods.includes('bisect') && methods.includes('save-baseline'), methods.join());
  for (const method of methods) assert.ok(said.includes(method), `${method}: ${said}`);
});

test('the checkout of the action is trusted where another user owns it, and no other folder', (t) => {
  const { url, git } = server(t, false);
  const workspace = folder(t);
  const clone = (name) => {
    const into = path.join(workspace, name);
    execFileSync('git', ['clone', '--quiet', `${url}/o/r`, into], { env: GIT });
    return into;
  };
  const [head, other] = [clone('head'), clone('other')];
  const revisions = (cwd) => {
    const temp = folder(t);
    const env = {
      PATH: process.env.PATH,
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: temp,
      RUNNER_TEMP: temp,
      GITHUB_OUTPUT: path.join(temp, 'output'),
      GITHUB_WORKSPACE: workspace,
      WORKING_DIRECTORY: './head/',
      // As git behaves where a container's user is not the owner.
      GIT_TEST_ASSUME_DIFFERENT_OWNER: '1',
    };
    return spawnSync(path.join(HERE, 'revisions.sh'), { env, cwd, encoding: 'utf8' });
  };
  const done = revisions(head);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, new RegExp(`head ${git('rev-parse', 'HEAD').trim()}`));
  assert.notEqual(revisions(other).status, 0);
});

/** Runs valgrind.sh where `PATH` has these stand-ins and what the script needs; returns its calls of apt-get. */
function valgrind(t, { where = 'github-hosted', aptGet = 'exit 0', there = {} }) {
  const temp = folder(t);
  const bin = path.join(temp, 'bin');
  fs.mkdirSync(bin);
  for (const name of ['bash', 'dirname', 'env', 'od', 'timeout', 'tr']) {
    fs.symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      `${bin}/${name}`,
    );
  }
  const scripts = {
    sudo: `echo "$*" >>${temp}/sudo; shift; exec "$@"`,
    'apt-get': `echo "$*" >>${temp}/calls; ${aptGet}`,
    ...there,
  };
  for (const [name, text] of Object.entries(scripts)) {
    fs.writeFileSync(`${bin}/${name}`, `#!${bin}/bash\n${text}\n`, { mode: 0o755 });
  }
  const env = { PATH: bin, RUNNER_TEMP: temp, RUNNER_ENVIRONMENT: where };
  const done = spawnSync(path.join(HERE, 'valgrind.sh'), { env, encoding: 'utf8' });
  const calls = fs.existsSync(`${temp}/calls`)
    ? fs.readFileSync(`${temp}/calls`, 'utf8').trim().split('\n')
    : [];
  const asRoot = fs.existsSync(`${temp}/sudo`);
  return {
    exit: done.status,
    said: done.stdout,
    asRoot,
    calls: calls.map((call) => /install|update/.exec(call)[0]),
  };
}

test("valgrind is installed on GitHub's machines where it is missing, and never ends the job", (t) => {
  const oldList = 'case "$*" in *update*) : >"$0.new" ;; *) [ -e "$0.new" ] ;; esac';
  for (const [what, of, calls, notice] of [
    ['it is missing', {}, ['install'], false],
    ['it is there', { there: { valgrind: 'exit 0' } }, [], false],
    ["a machine of one's own", { where: 'self-hosted' }, [], false],
    ['no word of the machine', { where: '' }, [], false],
    ['an old list', { aptGet: oldList }, ['install', 'update', 'install'], false],
    ['nothing can be installed', { aptGet: 'echo ::error::x; exit 100' }, ['install', 'update'], true],
  ]) {
    const done = valgrind(t, of);
    assert.equal(done.exit, 0, `${what}: ${done.said}`);
    const said = /^::notice title=benchgate::valgrind is missing .* does not say where/m.test(done.said);
    assert.equal(said, notice, `${what}: ${done.said}`);
    assert.deepEqual(done.calls, calls, what);
    assert.equal(done.asRoot, calls.length > 0 && process.getuid() !== 0, what);
    if (/::error::x/.test(done.said))
      assert.match(done.said, /^::stop-commands::.*\n(::error::x\n)+\n::[0-9a-f]{32}::\n/);
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
  locks.push('[[package]]\nname = "own"\nversion = "1.0.0"\n');
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

test('a link in the place of a package is removed, whatever it leads to', (t) => {
  const home = folder(t);
  const cache = path.join(home, 'registry/cache/index.example-1');
  fs.mkdirSync(cache, { recursive: true });
  fs.writeFileSync(path.join(home, 'elsewhere'), 'good');
  fs.symlinkSync(path.join(home, 'elsewhere'), path.join(cache, 'a-1.0.0.crate'));
  fs.writeFileSync(path.join(home, 'lock'), locked('a', 'good'));
  const env = { PATH: process.env.PATH, CARGO_HOME: home };
  const said = execFileSync(path.join(HERE, 'verify-downloads'), [path.join(home, 'lock')], {
    env,
    encoding: 'utf8',
  });
  assert.match(said, /removed: 'a-1\.0\.0\.crate' is not a regular file/);
  assert.deepEqual([fs.readdirSync(cache), fs.existsSync(path.join(home, 'elsewhere'))], [[], true]);
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
