// The steps of the action one by one: what each hands on, and what it refuses.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { called, folder, GIT, HERE, server } from './testing.mjs';

const read = (temp, name) =>
  fs.existsSync(path.join(temp, name)) ? fs.readFileSync(path.join(temp, name), 'utf8') : '';
const write = (temp, name, text) => {
  fs.mkdirSync(path.dirname(path.join(temp, name)), { recursive: true });
  fs.writeFileSync(path.join(temp, name), text);
};
/** Whether a text is between stop-commands in what a step said. */
const isKept = (said, text) => {
  const [before, after = ''] = said.split(text);
  const token = [...before.matchAll(/::stop-commands::([0-9a-f]{32})\n/g)].at(-1)?.[1];
  return token !== undefined && !before.includes(`::${token}::`) && after.includes(`::${token}::`);
};

test('each script stops at the first failure, also of a part of a pipe and of a variable that is not set', () => {
  const scripts = fs.readdirSync(HERE).filter((name) => name.endsWith('.sh'));
  const sourced = ['common.sh', 'constants.sh'];
  for (const name of scripts.filter((one) => !sourced.includes(one))) {
    const text = fs.readFileSync(path.join(HERE, name), 'utf8');
    assert.match(
      text,
      /^#!\/usr\/bin\/env bash\n(#.*\n)+set -euo pipefail\nshopt -s inherit_errexit\n/,
      name,
    );
  }
});

test('what the gate is built from has another digest with another lock file', (t) => {
  const digest = (lock) => {
    const root = folder(t);
    for (const name of ['Cargo.toml', 'crates/benchgate/src/main.rs']) write(root, name, name);
    write(root, 'Cargo.lock', lock);
    const script = 'import sys, pathlib, gate_source; print(gate_source.digest(pathlib.Path(sys.argv[1])))';
    return execFileSync('python3', ['-B', '-c', script, root], { cwd: HERE, encoding: 'utf8' });
  };
  assert.equal(digest('a'), digest('a'));
  assert.notEqual(digest('a'), digest('b'));
});

test('a release that a server does not have is asked for once, and one that it fails to give three times', (t) => {
  const root = folder(t);
  for (const name of ['take-release', 'gate_source.py']) {
    write(root, `scripts/ci/${name}`, fs.readFileSync(path.join(HERE, name), 'utf8'));
  }
  const script = `
import io, json, platform, runpy, sys, time, urllib.error, urllib.request
sys.path.insert(0, 'scripts/ci')
import gate_source, pathlib
code, calls, slept = int(sys.argv[1]), [], []
def urlopen(url, timeout):
    calls.append(url)
    raise urllib.error.HTTPError(url, code, 'no', {}, io.BytesIO()) if code else OSError('no way')
urllib.request.urlopen, time.sleep = urlopen, slept.append
machine = f'{platform.system()}-{platform.machine()}'
source = gate_source.digest(pathlib.Path('.').resolve())
wanted = {'benchgate': {'url': 'https://x', 'sha256': ''}}
release = {'version': '1', 'source': source, 'platforms': {machine: wanted}}
pathlib.Path('scripts/ci/release.json').write_text(json.dumps(release))
sys.argv = ['take-release', 'out']
try:
    runpy.run_path('scripts/ci/take-release', run_name='__main__')
except SystemExit as end:
    print(end.code, len(calls), slept)
`;
  for (const [code, expected] of [
    [404, '3 1 []'],
    [500, '3 3 [1, 2]'],
    [0, '3 3 [1, 2]'],
  ]) {
    const said = execFileSync('python3', ['-B', '-c', script, `${code}`], { cwd: root, encoding: 'utf8' });
    assert.equal(said.trim().split('\n').at(-1), expected, said);
  }
});

test('what may be given by others is handed over as data, and no link is copied as what it leads to', () => {
  const text = Object.fromEntries(
    fs.readdirSync(HERE).map((name) => [name, fs.readFileSync(path.join(HERE, name), 'utf8')]),
  );
  for (const script of ['bisect.sh', 'record.sh', 'save-baseline.sh']) {
    for (const [line] of text[script].matchAll(/.*\bcp\b.*/g)) assert.match(line, /--no-dereference/, script);
  }
  assert.match(text['revisions.sh'], /git rev-parse --quiet --verify --end-of-options "\$1\^\{commit\}"/);
  // Two fetches, of which neither waits for ever.
  assert.equal(text['fetch-history.sh'].match(/timeout "\$MOST_SECONDS" git .* --no-tags /g).length, 2);
  for (const script of ['check.sh', 'bisect.sh']) {
    assert.match(text[script], /timeout --signal=INT --kill-after=2m --preserve-status "\$TIMEOUT"/, script);
    assert.match(text[script], /apart "\$\{limit\[@\]\}" "\$BENCHGATE" "\$\{arguments\[@\]\}"/, script);
  }
  assert.match(text['valgrind.sh'], /timeout "\$MOST" "\$\{as_root\[@\]\}" env/);
  for (const script of ['install-tools.sh', 'install-renderer.sh', 'fetch.sh']) {
    for (const [line] of text[script].matchAll(/.*\bcargo (build|install|fetch) .*/g)) {
      if (!/printf/.test(line)) assert.match(line, /--locked/, script);
    }
  }
});

test('the job ends as the exit code says', (t) => {
  const red = /^::error title=benchgate::/m;
  for (const [EXIT, more, exit, words] of [
    ['0', {}, 0, /^pass$/m],
    ['102', {}, 0, /^::warning title=benchgate::inconclusive/m],
    ['102', { FAIL_ON_INCONCLUSIVE: 'true' }, 102, /^::error title=benchgate::inconclusive/m],
    ['102', { METHOD: 'bisect' }, 0, /^::warning .*no single commit/m],
    ['100', {}, 100, /^::error title=benchgate::regression proven$/m],
    ['101', {}, 101, /could not measure \(exit 101\)/],
    ['1', {}, 1, red],
    ['2', {}, 2, red],
    ['', {}, 101, red],
    ['0', { SHARD: '1' }, 0, /the job that merges the shards decides/],
    ['100', { SHARD: '1' }, 0, /the job that merges/],
    ['102', { SHARD: '1', FAIL_ON_INCONCLUSIVE: 'true' }, 0, /the job that merges/],
    ['101', { SHARD: '1' }, 101, red],
    ['', { SHARD: '1' }, 101, red],
  ]) {
    const done = called(t, 'verdict.sh', { EXIT, FAIL_ON_INCONCLUSIVE: 'false', ...more });
    assert.deepEqual([done.exit, words.test(done.said)], [exit, true], `${EXIT} ${JSON.stringify(more)}`);
    assert.equal(/^pass$/m.test(done.said), words.source === '^pass$', EXIT);
    if (more.METHOD !== 'bisect') assert.doesNotMatch(done.said, /no single commit/);
  }
});

const OF_RUN = { GITHUB_EVENT_NAME: 'push', GITHUB_RUN_ID: '1', GITHUB_RUN_ATTEMPT: '3' };

test('what was measured is uploaded and shown, and where nothing was, why', (t) => {
  const report = 'case $* in report*) echo "# the report" ;; esac';
  const left = (more) => (temp) => {
    for (const [name, text] of Object.entries(more)) write(temp, name, text);
  };
  const [result, log] = ['benchgate-output/result.json', 'benchgate-check.log'];
  const whole = {
    [result]: '{}',
    'benchgate-output/report.md': 'md',
    'benchgate-output/report.html': 'html',
  };
  const lines = Array.from({ length: 60 }, (_, number) => `line ${number}\n`).join('');
  for (const [what, EXIT, files, renderer, uploaded, summary, exit] of [
    [
      'a result',
      '100',
      { ...whole, [log]: lines },
      report,
      ['result.json', 'run.json'],
      /^# the report\n$/,
      '100',
    ],
    [
      'one of the most bytes',
      '0',
      { [result]: ' '.repeat(2 ** 24) },
      report,
      ['result.json', 'run.json'],
      /# the report/,
      '0',
    ],
    [
      'one that is too large',
      '0',
      { [result]: ' '.repeat(2 ** 24 + 1) },
      report,
      ['run.json'],
      /not measured/,
      '0',
    ],
    [
      'one that is not read',
      '0',
      { [result]: '{}', [log]: lines },
      'exit 101',
      ['result.json', 'run.json'],
      / {4}line 59\n/,
      '0',
    ],
    [
      'a log',
      '101',
      { [log]: lines },
      report,
      ['run.json'],
      /exit 101\)\n\nThe last lines of benchgate check:\n\n {4}line 20\n/,
      '101',
    ],
    ['nothing', '', {}, report, ['run.json'], /benchgate check was not reached/, '101'],
  ]) {
    const { exit: status, temp } = called(t, 'record.sh', { ...OF_RUN, EXIT }, renderer, left(files));
    assert.equal(status, 0, what);
    assert.deepEqual(fs.readdirSync(path.join(temp, 'benchgate-artifact')).sort(), uploaded, what);
    assert.match(read(temp, 'summary'), summary, what);
    if (/report/.test(summary.source)) assert.doesNotMatch(read(temp, 'summary'), /not measured/, what);
    assert.match(read(temp, 'output'), new RegExp(`^exit=${exit}\n$`), what);
    const { exit: code, attempt } = JSON.parse(read(temp, 'benchgate-artifact/run.json'));
    assert.deepEqual([code, attempt], [Number(exit), 3], what);
    const pages = Object.keys(files)
      .filter((name) => /report/.test(name))
      .map((name) => path.basename(name));
    assert.deepEqual(fs.readdirSync(path.join(temp, 'benchgate-page')).sort(), pages.sort(), what);
  }
});

test('a folder in the place of a result is not uploaded', (t) => {
  const leave = (temp) => fs.mkdirSync(`${temp}/benchgate-output/result.json`, { recursive: true });
  const { exit, temp } = called(t, 'record.sh', { ...OF_RUN, EXIT: '0' }, '', leave);
  assert.deepEqual([exit, fs.readdirSync(`${temp}/benchgate-artifact`)], [0, ['run.json']]);
});

test('a machine that is not set up fails the job, or is named only', (t) => {
  for (const [DOCTOR, more, exit, words, summary] of [
    ['enforce', 'exit 0', 0, /^(?!.*::(error|warning))/s, /^$/],
    ['enforce', 'echo "boost <is> on"; exit 101', 1, /^::error /m, / {4}boost <is> on\n/],
    ['report', 'echo boost; exit 101', 0, /^::warning /m, / {4}boost\n/],
    ['', 'echo boost; exit 101', 1, /^::error /m, / {4}boost\n/],
  ]) {
    const done = called(t, 'doctor.sh', { DOCTOR }, more);
    assert.equal(done.exit, exit, `${DOCTOR} ${more}`);
    assert.match(done.said, words);
    assert.match(read(done.temp, 'summary'), summary);
    assert.deepEqual(done.words, ['doctor', '--check', '']);
  }
  const { said } = called(t, 'doctor.sh', { DOCTOR: 'report' }, 'echo ::error::x; exit 101');
  assert.ok(isKept(said, '::error::x'), said);
});

test('bases are on the machine, or in a cache of its kind; another word is an error', (t) => {
  const of = { RUNNER_OS: 'Linux', RUNNER_ARCH: 'ARM64' };
  for (const [BASES, exit, output] of [
    ['machine', 0, ''],
    ['cache', 0, 'path=/store\nprefix=benchgate-bases-Linux-ARM64-\n'],
    ['', 1, ''],
    ['both', 1, ''],
  ]) {
    const done = called(t, 'bases.sh', { ...of, BASES }, 'echo /store');
    assert.deepEqual([done.exit, read(done.temp, 'output')], [exit, output], BASES);
  }
});

test('a base is kept where it was built and the rest was made room for', (t) => {
  for (const [what, more, filled] of [
    ['both', 'echo ::error::x; env >"$0.env.$2"', true],
    ['not built', 'case $2 in fill) exit 101 ;; esac', false],
    ['no room made', 'case $2 in prune) exit 101 ;; esac', false],
  ]) {
    const done = called(t, 'fill.sh', { HEAD: 'abc' }, more);
    assert.equal(done.exit, 0, what);
    assert.equal(read(done.temp, 'output'), `filled=false\n${filled ? 'filled=true\n' : ''}`, what);
    assert.equal(/^::warning /m.test(done.said), !filled, what);
    if (!filled) continue;
    assert.deepEqual(done.words.slice(0, 3), ['cache', 'fill', 'abc']);
    assert.ok(isKept(done.said, '::error::x'), done.said);
    assert.doesNotMatch(read(done.temp, 'benchgate-tools/bin/benchgate.env.fill'), /^GITHUB_OUTPUT=/m);
  }
});

test('a lock file that is not there, or does not fit, leaves the downloads out of the cache', (t) => {
  for (const [cargo, complete] of [
    ['echo ::error::x', true],
    ['exit 101', false],
  ]) {
    const bin = folder(t);
    fs.writeFileSync(path.join(bin, 'cargo'), `#!/bin/sh\n${cargo}\n`, { mode: 0o755 });
    const done = called(t, 'fetch.sh', { PATH: `${bin}:${process.env.PATH}` });
    assert.equal(done.exit, 0);
    assert.equal(read(done.temp, 'output'), `complete=false\n${complete ? 'complete=true\n' : ''}`);
    assert.equal(/^::warning /m.test(done.said), !complete);
    if (complete) assert.ok(isKept(done.said, '::error::x'), done.said);
  }
});

test('a cache of tools is named by source and compiler, one of downloads by the lock file', (t) => {
  const bin = folder(t);
  const keys = (rustc, lock, of = {}) => {
    fs.writeFileSync(path.join(bin, 'rustc'), `#!/bin/sh\necho ${rustc}\n`, { mode: 0o755 });
    const leave = (temp) => lock !== null && write(temp, 'Cargo.lock', lock);
    const env = { PATH: `${bin}:${process.env.PATH}`, ...of };
    const { exit, temp, wrong } = called(t, 'cache-keys.sh', env, '', leave);
    assert.deepEqual([exit, wrong], [0, '']);
    return Object.fromEntries(
      read(temp, 'output')
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
  };
  const [one, compiler, lock, none] = [keys('a', 'x'), keys('b', 'x'), keys('a', 'y'), keys('a', null)];
  const differ = (a, b) => Object.keys(a).filter((name) => a[name] !== b[name]);
  assert.deepEqual(differ(one, compiler), ['tools', 'renderer']);
  assert.deepEqual(differ(one, lock), ['registry']);
  assert.deepEqual(differ(one, none), ['registry']);
  assert.deepEqual(differ(one, keys('a', 'x', { RUNNER_ARCH: 'ARM64' })), Object.keys(one));
  assert.match(one.tools, /^benchgate-tools-Linux-X64-[0-9a-f]{20}$/);
  assert.match(one.registry, /^benchgate-registry-Linux-X64-[0-9a-f]{20}$/);
  const nothing = execFileSync('sh', ['-c', 'printf "%s\\n" 0.1.8 | sha256sum | cut -c1-20'], {
    encoding: 'utf8',
  });
  assert.ok(!one.tools.endsWith(nothing.trim()));
  // What the gate is built from is in it.
  const sources = fs.readFileSync(path.join(HERE, 'cache-keys.sh'), 'utf8');
  assert.match(
    sources,
    /for name in Cargo\.toml Cargo\.lock crates\/benchgate\*; do\n.*if \[\[ -e \$name \]\]; then find -L/,
  );
});

test('what check is called with is what the inputs say', (t) => {
  const all = { SUITES: 'a', FILTER: 'b', BUDGET: '5m', LEVELS: '2,5,10', FAIL_ON: 'note', TIMEOUT: '9s' };
  const optional = ['--suite=a', '--filter=b', '--budget=5m', '--levels=2,5,10', '--fail-on=note'];
  const judged = ['--levels=2,5,10', '--fail-on=note'];
  for (const [METHOD, of, expected] of [
    ['paired', {}, ['--base', 'b', '--head', 'h']],
    ['paired', { FAIL_ON: 'policy' }, ['--base', 'b', '--head', 'h']],
    ['paired', all, ['--base', 'b', '--head', 'h', ...optional]],
    ['paired', { SHARD: '1/2' }, ['--base', 'b', '--head', 'h', '--shard=1/2']],
    ['baseline', {}, ['--base', 'b', '--baseline']],
    ['anchor', {}, ['--anchor', '--head', 'h']],
    ['merge', { ...all, SHARD: '1/2' }, judged],
  ]) {
    const { words, exit, said, temp } = called(t, 'check.sh', { METHOD, ...of }, 'exit 102');
    const command = METHOD === 'merge' ? 'merge' : 'check';
    const [first, ...rest] = [command, '--output', `${temp}/benchgate-output`, ...expected];
    assert.deepEqual(words.slice(0, -1), [first, ...rest], `${METHOD} ${JSON.stringify(of)}`);
    assert.equal(exit, 0);
    assert.equal(read(temp, 'output'), 'exit=102\n');
    assert.match(said, new RegExp(`^benchgate ${command} `, 'm'));
  }
});

test('a check or a search that takes too long is stopped as by Ctrl-C, and says how it ended', (t) => {
  const more = "trap 'kill $!; exit 101' INT; sleep 20 & wait";
  for (const script of ['check.sh', 'bisect.sh']) {
    const began = Date.now();
    const { exit, temp } = called(t, script, { TIMEOUT: '0.2s', BENCHMARKS: 'a' }, more);
    assert.deepEqual([exit, read(temp, 'output')], [0, 'exit=101\n'], script);
    assert.ok(Date.now() - began < 10_000);
  }
});

test('a search hands on its answer, and without one the end of its log', (t) => {
  const answer =
    'case $1 in bisect) echo {} >"$3/bisect.json"; echo x >"$3/bisect.md"; echo y >"$3/bisect-1.log" ;; *) echo "# found" ;; esac';
  const found = called(t, 'bisect.sh', { SUITES: 's', BENCHMARKS: 'a b', BUDGET: '1h' }, `${answer}; exit 0`);
  const given = ['bisect', '--output', `${found.temp}/benchgate-output`, '--good', 'b', '--bad', 'h'];
  const more = ['--suite=s', '--budget=1h', '--filter=a', '--filter=b'];
  assert.deepEqual(found.words.slice(0, 11), [...given, ...more]);
  assert.equal(read(found.temp, 'output'), 'exit=0\nfound=true\n');
  assert.equal(read(found.temp, 'summary'), '# found\n');
  assert.deepEqual(fs.readdirSync(`${found.temp}/benchgate-artifact`), ['bisect.json']);
  assert.deepEqual(fs.readdirSync(`${found.temp}/benchgate-page`).sort(), ['bisect-1.log', 'bisect.md']);
  const lost = called(t, 'bisect.sh', { BENCHMARKS: 'a' }, 'echo "no <luck>"; exit 101');
  assert.deepEqual(lost.words.slice(0, 9), [
    ...given.with(2, `${lost.temp}/benchgate-output`),
    '--filter=a',
    '',
  ]);
  assert.equal(read(lost.temp, 'output'), 'exit=101\n');
  assert.match(read(lost.temp, 'summary'), /nothing was found \(exit 101\)[\s\S]*\n {4}no <luck>\n/);
  const links =
    'ln -s /etc/passwd "$3/bisect.json"; ln -s /etc/passwd "$3/bisect.md"; echo y >"$3/bisect.log"';
  const linked = called(t, 'bisect.sh', { BENCHMARKS: 'a' }, links);
  assert.equal(read(linked.temp, 'output'), 'exit=0\n');
  assert.deepEqual(fs.readdirSync(`${linked.temp}/benchgate-page`), ['bisect.log']);
  assert.deepEqual(fs.readdirSync(`${linked.temp}/benchgate-artifact`), []);
});

test('baselines are saved, verified and shown with what they change since the last release', (t) => {
  const saved = (tag, changes = true) => {
    const temp = folder(t);
    const { git } = server(t, false);
    const cwd = git('rev-parse', '--show-toplevel').trim();
    write(cwd, 'baselines/m/old.json', 'old');
    write(cwd, '.gitignore', 'baselines/m/ignored.json\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'three');
    if (tag) git('tag', tag);
    const tool = `#!/bin/sh\necho "$*" >>${temp}/called
case $2 in
save) echo ::error::s; [ ${changes} = true ] || exit 0; echo new >baselines/m/new.json; echo no >baselines/m/ignored.json; ln -s /etc/passwd baselines/m/link.json ;;
verify) echo ::error::v ;;
diff) echo "since $3 <b>" ;;
esac\n`;
    write(temp, 'benchgate-tools/bin/benchgate', tool);
    fs.chmodSync(`${temp}/benchgate-tools/bin/benchgate`, 0o755);
    const env = { ...GIT, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: `${temp}/summary` };
    const done = spawnSync(path.join(HERE, 'save-baseline.sh'), { env, cwd, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return { temp, said: done.stdout };
  };
  const { temp, said } = saved('v1.2.0');
  const artifact = `${temp}/benchgate-artifact`;
  assert.deepEqual(fs.readdirSync(`${artifact}/baselines/m`).sort(), ['link.json', 'new.json']);
  assert.ok(fs.lstatSync(`${artifact}/baselines/m/link.json`).isSymbolicLink());
  assert.deepEqual(read(temp, 'called').split('\n').slice(0, 2), ['baseline save', 'baseline verify']);
  assert.ok(isKept(said, '::error::s') && isKept(said, '::error::v'), said);
  assert.equal(read(artifact, 'change.txt'), 'since HEAD <b>\n');
  assert.equal(read(artifact, 'drift.txt'), 'since v1.2.0\n\nsince v1.2.0 <b>\n');
  assert.match(read(temp, 'summary'), /\n {4}since HEAD <b>\n[\s\S]*\n {4}since v1\.2\.0 <b>\n/);
  assert.equal(read(saved('v1.2.0', false).temp, 'benchgate-artifact/change.txt'), 'since HEAD <b>\n');
  assert.equal(read(saved('').temp, 'benchgate-artifact/drift.txt'), 'there is no release yet\n');
});

test('a revision that is named is the base, also one of the remote alone; without any it is an error', (t) => {
  const { url, git } = server(t, false);
  git('branch', 'side', 'HEAD^');
  const cwd = path.join(folder(t), 'clone');
  execFileSync('git', ['clone', '--quiet', `${url}/o/r`, cwd], { env: GIT });
  const [head, parent] = [git('rev-parse', 'HEAD').trim(), git('rev-parse', 'HEAD^').trim()];
  const outside = path.join(folder(t), 'x');
  for (const [of, exit, base] of [
    [{ BASE: 'HEAD^' }, 0, parent],
    [{ BASE: 'side' }, 0, parent],
    [{ BASE: 'HEAD', EVENT_BASE: parent }, 0, head],
    [{ EVENT_BASE: parent }, 0, parent],
    [{}, 0, parent],
    [{ BASE: 'nothing' }, 1],
    [{ BASE: `--output=${outside}` }, 1],
    [{ BASE: '--all' }, 1],
    [{ GITHUB_EVENT_NAME: 'pull_request' }, 1],
  ]) {
    const temp = folder(t);
    const env = {
      ...GIT,
      RUNNER_TEMP: temp,
      GITHUB_OUTPUT: `${temp}/output`,
      GITHUB_EVENT_NAME: 'push',
      ...of,
    };
    const done = spawnSync(path.join(HERE, 'revisions.sh'), { env, cwd, encoding: 'utf8' });
    assert.equal(done.status, exit, JSON.stringify(of));
    assert.equal(read(temp, 'output'), exit ? '' : `base=${base}\nhead=${head}\n`, JSON.stringify(of));
    assert.equal(/^::error /m.test(done.stdout), exit !== 0);
  }
  const orphan = path.join(folder(t), 'orphan');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `${url}/o/r`, orphan], { env: GIT });
  const temp = folder(t);
  const env = { ...GIT, RUNNER_TEMP: temp, GITHUB_OUTPUT: `${temp}/output`, GITHUB_EVENT_NAME: 'push' };
  const done = spawnSync(path.join(HERE, 'revisions.sh'), { env, cwd: orphan, encoding: 'utf8' });
  assert.deepEqual([done.status, /the head has no parent/.test(done.stdout)], [1, true]);
});

test('the token of the history is no argument of git, and is sent to this server only', (t) => {
  const bin = folder(t);
  fs.writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho "$*" >>${bin}/calls\nenv >${bin}/env\n`, {
    mode: 0o755,
  });
  const of = { GITHUB_SERVER_URL: 'https://server', GITHUB_REPOSITORY: 'o/r', BRANCH: 'main' };
  for (const TOKEN of ['secret', '']) {
    const env = { PATH: `${bin}:${process.env.PATH}`, ...of, TOKEN };
    const into = path.join(folder(t), 'history');
    assert.equal(spawnSync(path.join(HERE, 'fetch-history.sh'), [into], { env }).status, 0);
    const [calls, given] = [read(bin, 'calls'), read(bin, 'env')];
    const basic = Buffer.from('x-access-token:secret').toString('base64');
    assert.doesNotMatch(calls, new RegExp(`secret|${basic}`));
    assert.equal(given.includes(`GIT_CONFIG_VALUE_0=AUTHORIZATION: basic ${basic}\n`), TOKEN !== '');
    assert.equal(given.includes('GIT_CONFIG_KEY_0=http.https://server/.extraheader\n'), TOKEN !== '');
    assert.match(given, /^GIT_TERMINAL_PROMPT=0$/m);
  }
});

test("a folder that is not there yet is trusted by its path, and a person's own settings stay", () => {
  const script = `. ${HERE}/common.sh; env | grep ^GIT_CONFIG | sort`;
  const env = {
    PATH: process.env.PATH,
    RUNNER_TEMP: '/tmp',
    GITHUB_WORKSPACE: '/',
    WORKING_DIRECTORY: 'no/such/folder',
  };
  const given = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' };
  const said = execFileSync('bash', ['-c', script], { env: { ...env, ...given }, encoding: 'utf8' });
  const lines = ['COUNT=2', 'KEY_0=a.b', 'KEY_1=safe.directory', 'VALUE_0=c', 'VALUE_1=/no/such/folder'];
  assert.equal(said, lines.map((line) => `GIT_CONFIG_${line}\n`).join(''));
});

/** Runs critcmp-tables in a repository with a baseline of the machine `m`. */
function tables(t, { machine = 'm', suites = ['p.s'], rows = true, more = {} } = {}) {
  const temp = folder(t);
  const { git } = server(t, false);
  const cwd = git('rev-parse', '--show-toplevel').trim();
  for (const name of ['m/p.s.json', 'm/p.other.json', 'm/p.s.txt', 'M/p.s.json'])
    write(cwd, `baselines/${name}`, '{}');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'baselines');
  const commit = git('rev-parse', 'HEAD').trim();
  const benchmarks = suites.map((suite) => ({ package: suite.split('.')[0], suite: suite.split('.')[1] }));
  const result = {
    machine: machine === null ? null : { name: machine },
    base: { commit },
    benchmarks,
    ...more,
  };
  if (more !== null) write(temp, 'benchgate-artifact/result.json', JSON.stringify(result));
  const bin = `${temp}/benchgate-tools/bin`;
  const tools = {
    benchgate: `echo '{"benchmarks":${more?.empty ? '[]' : '[1]'}}'`,
    critcmp: more?.fails
      ? 'echo no >&2; exit 3'
      : rows
        ? 'printf "head\\n----\\n::error::row\\n%.0s" $(seq %N)'
        : 'printf "head\\n----\\n"',
  };
  for (const [name, text] of Object.entries(tools)) {
    write(bin, name, `#!/bin/sh\n${text.replace('%N', more?.times ?? '1')}\n`);
    fs.chmodSync(`${bin}/${name}`, 0o755);
  }
  const env = { ...GIT, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: `${temp}/summary` };
  const done = spawnSync(path.join(HERE, 'critcmp-tables'), { env, cwd, encoding: 'utf8' });
  const comment = fs.existsSync(`${temp}/benchgate-artifact/critcmp.txt`);
  return {
    ...done,
    summary: read(temp, 'summary'),
    comment: comment && read(temp, 'benchgate-artifact/critcmp.txt'),
  };
}

test("critcmp's tables are of this machine's baselines and of what was measured, and nothing in them is a command", (t) => {
  const done = tables(t);
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(done.summary.match(/^### .*/gm), ['### `p.s`']);
  assert.deepEqual(
    done.summary.match(/^Differences above .*/gm),
    [2, 5, 10].map((of) => `Differences above ${of} %:`),
  );
  assert.equal(done.summary.match(/^ {4}::error::row$/gm).length, 3);
  assert.equal(done.comment.match(/^::error::row$/gm).length, 3);
  assert.doesNotMatch(done.comment, /none/);
  assert.ok(isKept(done.stdout, done.summary), done.stdout);
});

test('where there is nothing to compare, the summary says so and the comment has no tables', (t) => {
  const none = /has no baseline of the machine `(.*)` with what was measured/;
  for (const [what, of, machine] of [
    ['another machine', { machine: 'other' }, 'other'],
    ['a name that is none of a machine', { machine: 'M' }, 'M'],
    ['no machine', { machine: null }, '\\?'],
    ['nothing of it was measured', { suites: ['p.none'] }, 'm'],
    ['no benchmark in it', { more: { empty: true } }, 'm'],
  ]) {
    const done = tables(t, of);
    assert.equal(done.status, 0, `${what}: ${done.stderr}`);
    assert.match(done.summary, new RegExp(none.source.replace('(.*)', machine)), what);
    assert.equal(done.comment, false, what);
  }
  const equal = tables(t, { rows: false });
  assert.equal(equal.summary.match(/^ {4}none$/gm).length, 3);
  assert.match(equal.comment, /^p\.s: differences above 2 %: none\n/);
  assert.doesNotMatch(equal.summary, none);
  assert.deepEqual([tables(t, { more: null }).status, tables(t, { more: null }).summary], [0, '']);
  const failed = tables(t, { more: { fails: true } });
  assert.deepEqual([failed.status, /critcmp: exit 3: no/.test(failed.stderr)], [1, true]);
});

test('tables that are too long are cut', (t) => {
  const long = tables(t, { more: { times: '3000' } });
  assert.equal(long.comment.length, 25_000 + '\n(cut)\n'.length);
  assert.doesNotMatch(long.summary, /\(cut\)/);
  const longer = tables(t, { more: { times: '20000' } });
  assert.ok(Buffer.byteLength(longer.summary) <= 1_000_010 && longer.summary.endsWith('\n\n(cut)\n'));
});
