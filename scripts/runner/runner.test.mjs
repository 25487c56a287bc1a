// The set-up of the machine, on a folder that looks like a root: commands that need one are stand-ins that
// do to that folder what the real ones do to a system, and note that they were called.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const RELEASE = '6.12.48-1-MANJARO';
const folders = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

const STAND_INS = {
  // Knows what is installed from a file, and the kernel.
  pacman: `case $1 in
    --deptest) shift; missing=0
      for p in "$@"; do grep -qx "$p" "$BENCHGATE_ROOT/pacman.installed" || { echo "$p"; missing=127; }; done
      exit $missing ;;
    --sync) log "$@"; for p in "$@"; do case $p in --*) ;; *) echo "$p" >>"$BENCHGATE_ROOT/pacman.installed" ;; esac; done ;;
    --remove) log "$@"; for p in "$@"; do sed -i "/^$p$/d" "$BENCHGATE_ROOT/pacman.installed"; done ;;
    esac`,
  systemctl: `etc=$BENCHGATE_ROOT/etc/systemd/system
    case $1 in
    is-enabled | is-active) [ -L "$etc/enabled/$3" ]; exit ;;
    enable) case $2 in
      --now) mkdir -p "$etc/enabled"; ln -sf "../$3" "$etc/enabled/$3" ;;
      *) ln -s "../$2" "$etc/timers.target.wants/$2" ;;
      esac ;;
    disable) rm -f "$etc/enabled/$3" "$etc/timers.target.wants/$3"; rmdir "$etc/enabled" 2>/dev/null ;;
    mask) ln -s /dev/null "$etc/$3" ;;
    unmask) rm "$etc/$2" ;;
    esac
    log "$@"`,
  useradd: `log "$@"; echo "benchgate:x:970:970::/var/lib/benchgate:/usr/bin/nologin" >>"$BENCHGATE_ROOT/etc/passwd"
    mkdir -p "$BENCHGATE_ROOT/var/lib/benchgate"`,
  userdel: `log "$@"; sed -i '/^benchgate:/d' "$BENCHGATE_ROOT/etc/passwd"; rm -rf "$BENCHGATE_ROOT/var/lib/benchgate"`,
  chgrp: `log "$@"`,
};

/** A machine as Manjaro installs it, and the folder of the stand-ins. */
function machine() {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-runner-'));
  folders.push(top);
  const root = path.join(top, 'root');
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  write(
    'etc/pacman.conf',
    '[options]\nHoldPkg = pacman glibc\n\n[core]\nInclude = /etc/pacman.d/mirrorlist\n',
  );
  write('etc/passwd', 'root:x:0:0::/root:/bin/bash\nanna:x:1000:1000::/home/anna:/bin/bash\n');
  write('etc/group', 'root:x:0:\nwheel:x:998:anna\n');
  write('pacman.installed', 'base-devel\ncurl\ngit\nlinux612\nopenssl\nzlib\n');
  write('proc/sys/kernel/osrelease', `${RELEASE}\n`);
  write('usr/lib/systemd/system/timers.target.wants/man-db.timer', '[Timer]\n');
  write('etc/systemd/system/timers.target.wants/pamac-mirrorlist.timer', '[Timer]\n');
  for (const folder of ['usr/local/lib', 'opt', 'var/lib', 'run'])
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  const bin = path.join(top, 'bin');
  fs.mkdirSync(bin);
  for (const [name, text] of Object.entries(STAND_INS)) {
    const log = `log() { echo "${name} $*" >>"$BENCHGATE_ROOT/../calls"; }`;
    fs.writeFileSync(path.join(bin, name), `#!/bin/bash\n${log}\n${text}\n`, { mode: 0o755 });
  }
  // A release of the runner, as small as it can be.
  const release = path.join(top, 'release');
  fs.mkdirSync(release);
  const runs = 'echo "ran ($*) in $PWD with $ACTIONS_RUNNER_INPUT_JITCONFIG" >job.log';
  fs.writeFileSync(path.join(release, 'run.sh'), `#!/bin/bash\n${runs}\n`, { mode: 0o755 });
  const archive = path.join(top, 'runner.tar.gz');
  assert.equal(spawnSync('tar', ['-czf', archive, '-C', release, '.']).status, 0);
  const sum = createHash('sha256').update(fs.readFileSync(archive)).digest('hex');
  fs.writeFileSync(path.join(top, 'token'), 'secret-token\n');
  return {
    top,
    root,
    write,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: top, BENCHGATE_ROOT: root },
    arguments: [
      '--repository',
      'acme/parser',
      '--runner-version',
      '2.329.0',
      '--runner-sha256',
      sum,
      '--runner-archive',
      archive,
      '--token-file',
      path.join(top, 'token'),
    ],
    read: (name) => fs.readFileSync(path.join(root, name), 'utf8'),
    exists: (name) => fs.existsSync(path.join(root, name)),
    calls() {
      const file = path.join(top, 'calls');
      const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
      fs.rmSync(file, { force: true });
      return text.split('\n').filter(Boolean);
    },
  };
}

function run(box, script, words = [], env = {}) {
  const done = spawnSync(path.join(HERE, script), words, { env: { ...box.env, ...env }, encoding: 'utf8' });
  return { code: done.status, said: done.stdout + done.stderr };
}

function setUp(box, more = []) {
  const done = run(box, 'setup-manjaro.sh', [...box.arguments, ...more]);
  assert.equal(done.code, 0, done.said);
  return done.said;
}

/** Every path below the root with its kind, mode and content. */
function picture(box) {
  const seen = {};
  const walk = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const name = path.relative(box.root, file);
      const mode = (fs.lstatSync(file).mode & 0o777).toString(8);
      if (entry.isDirectory()) {
        seen[name] = `folder ${mode}`;
        walk(file);
      } else if (entry.isSymbolicLink()) seen[name] = `link to ${fs.readlinkSync(file)}`;
      else seen[name] = `${mode} ${fs.readFileSync(file, 'utf8')}`;
    }
  };
  walk(box.root);
  return seen;
}

test('a set-up makes everything that measuring needs', () => {
  const box = machine();
  setUp(box);
  assert.match(box.read('etc/pacman.conf'), /^\[options\]\nInclude = \/etc\/pacman\.d\/benchgate\.conf\n/);
  assert.match(box.read('etc/pacman.d/benchgate.conf'), /^IgnorePkg = linux612 linux612-headers$/m);
  assert.match(box.read('etc/passwd'), /^benchgate:.*nologin$/m);
  assert.equal(box.read('etc/benchgate/runner.conf'), 'REPOSITORY=acme/parser\n');
  assert.equal(fs.statSync(path.join(box.root, 'etc/benchgate/github-token')).mode & 0o777, 0o600);
  assert.ok(box.exists('opt/benchgate-runner/run.sh'));
  for (const timer of ['man-db.timer', 'pamac-mirrorlist.timer']) {
    assert.equal(fs.readlinkSync(path.join(box.root, 'etc/systemd/system', timer)), '/dev/null');
  }
  const calls = box.calls();
  assert.equal(
    calls[0],
    'pacman --sync --refresh --sysupgrade --needed --noconfirm jq python rustup valgrind icu krb5 lttng-ust',
  );
  assert.ok(calls.includes('systemctl daemon-reload'));
  assert.deepEqual(
    calls.slice(-3),
    ['machine.service', 'update.timer', 'runner.service'].map(
      (unit) => `systemctl enable --now benchgate-${unit}`,
    ),
  );
});

test('the commands of the page set a machine up, and its dry run nothing', () => {
  const page = fs.readFileSync(path.join(HERE, '../../docs/adopt.md'), 'utf8');
  const commands = page
    .split('\n### The machine\n')[1]
    .match(/```sh\n([\s\S]*?)```/)[1]
    .trim()
    .split('\n');
  assert.equal(commands.length, 2);
  const box = machine();
  const filled = {
    'OWNER/NAME': 'acme/parser',
    VERSION: '2.329.0',
    SUM: box.arguments[5],
    FILE: box.arguments.at(-1),
  };
  const before = picture(box);
  for (const [number, command] of commands.entries()) {
    const [program, ...words] = command.replace(/^sudo /, '').split(' ');
    assert.equal(program, 'scripts/runner/setup-manjaro.sh');
    // The test has no network: of the runner it has an archive.
    const more = number === 0 ? [] : ['--runner-archive', box.arguments[7]];
    const done = run(box, 'setup-manjaro.sh', [...words.map((word) => filled[word] ?? word), ...more]);
    assert.equal(done.code, 0, done.said);
    if (number === 0) assert.deepEqual(picture(box), before);
  }
  assert.equal(box.read('etc/benchgate/runner.conf'), 'REPOSITORY=acme/parser\n');
  assert.ok(box.exists('opt/benchgate-runner/run.sh') && box.exists('etc/benchgate/github-token'));
});

test('every program that a unit starts is installed', () => {
  const box = machine();
  setUp(box);
  const units = fs.readdirSync(HERE).filter((name) => /\.(service|timer)$/.test(name));
  assert.equal(units.length, 4);
  const named = units.flatMap(
    (unit) => box.read(`etc/systemd/system/${unit}`).match(/\/usr\/local\/lib\/benchgate\/[\w.-]+/g) ?? [],
  );
  assert.equal(named.length, 6);
  for (const program of named) fs.accessSync(path.join(box.root, program), fs.constants.X_OK);
});

test('a second set-up changes nothing and calls nothing', () => {
  const box = machine();
  setUp(box);
  box.calls();
  const before = picture(box);
  const said = setUp(box);
  assert.deepEqual(picture(box), before);
  assert.deepEqual(box.calls(), []);
  assert.doesNotMatch(said, /^(write|\+)/m);
});

test('a dry run says everything and touches nothing', () => {
  const box = machine();
  const before = picture(box);
  const dry = setUp(box, ['--dry-run']);
  assert.deepEqual(picture(box), before);
  assert.deepEqual(box.calls(), []);
  assert.doesNotMatch(dry, /secret-token/);
  // What it says is what a real one then does.
  const steps = (said) => said.split('\n').filter((line) => /^(write|\+)/.test(line));
  assert.deepEqual(steps(dry), steps(setUp(box)));
  const done = picture(box);
  box.calls();
  const undo = run(box, 'setup-manjaro.sh', ['--undo', '--dry-run']);
  assert.equal(undo.code, 0, undo.said);
  assert.match(undo.said, /^remove \/etc\/benchgate\/runner\.conf$/m);
  assert.deepEqual(picture(box), done);
  assert.deepEqual(box.calls(), []);
});

test('an undo leaves what was there before, and a second one has nothing to do', () => {
  const box = machine();
  const before = picture(box);
  setUp(box);
  setUp(box, ['--kernel', 'linux618']); // a change of mind in between
  const done = run(box, 'setup-manjaro.sh', ['--undo']);
  assert.equal(done.code, 0, done.said);
  // The kernel that was asked for may be the one that runs by now.
  before['pacman.installed'] += 'linux618\n';
  assert.deepEqual(picture(box), before);
  const again = run(box, 'setup-manjaro.sh', ['--undo']);
  assert.equal(again.code, 0, again.said);
  assert.match(again.said, /^nothing to undo/);
});

test('a file that was there before comes back with its mode', () => {
  const box = machine();
  box.write('etc/benchgate/runner.conf', 'REPOSITORY=acme/old\n');
  fs.chmodSync(path.join(box.root, 'etc/benchgate/runner.conf'), 0o640);
  const before = picture(box);
  setUp(box);
  setUp(box);
  assert.equal(box.read('etc/benchgate/runner.conf'), 'REPOSITORY=acme/parser\n');
  assert.equal(run(box, 'setup-manjaro.sh', ['--undo']).code, 0);
  assert.deepEqual(picture(box), before);
});

test("a timer of the machine's own is disabled, and enabled again", () => {
  const box = machine();
  box.write('etc/systemd/system/backup.timer', '[Timer]\n');
  const wanted = path.join(box.root, 'etc/systemd/system/timers.target.wants/backup.timer');
  fs.symlinkSync('../backup.timer', wanted);
  const before = picture(box);
  setUp(box);
  assert.ok(!fs.existsSync(wanted) && box.exists('etc/systemd/system/backup.timer'));
  box.calls();
  setUp(box);
  assert.deepEqual(box.calls(), []);
  assert.equal(run(box, 'setup-manjaro.sh', ['--undo']).code, 0);
  assert.deepEqual(picture(box), before);
});

test('a user who can become root is refused', () => {
  const box = machine();
  box.write('etc/passwd', 'benchgate:x:970:970::/var/lib/benchgate:/bin/bash\n');
  box.write('etc/group', 'wheel:x:998:anna,benchgate\n');
  box.write('etc/sudoers.d/10-bench', 'benchgate ALL=(ALL) NOPASSWD: ALL\n');
  const done = run(box, 'setup-manjaro.sh', box.arguments);
  assert.equal(done.code, 2);
  assert.match(done.said, /the user benchgate can become root \(wheel sudoers\)/);
  assert.ok(!box.exists('etc/benchgate'));
});

test('a runner that is not what its checksum says is not installed', () => {
  const box = machine();
  const words = box.arguments.map((word) => (/^[0-9a-f]{64}$/.test(word) ? '0'.repeat(64) : word));
  const done = run(box, 'setup-manjaro.sh', words);
  assert.equal(done.code, 2);
  assert.match(done.said, /is not what --runner-sha256 says; nothing of it was used/);
  assert.ok(!box.exists('opt/benchgate-runner'));
});

for (const [words, expected] of [
  [[], /--repository OWNER\/NAME is missing/],
  [['--repository', 'acme/parser', '--runner-version', 'latest'], /--runner-version is missing/],
  [['--repository', 'acme/parser;reboot'], /--repository OWNER\/NAME is missing/],
  [['--repository'], /--repository needs a value/],
  [['--frobnicate'], /unknown option --frobnicate/],
]) {
  test(`a wrong call is refused: ${words.join(' ') || '(nothing)'}`, () => {
    const box = machine();
    const before = picture(box);
    const done = run(box, 'setup-manjaro.sh', words);
    assert.equal(done.code, 2);
    assert.match(done.said, expected);
    assert.deepEqual(picture(box), before);
  });
}

// The settings.

function cpu(box, files) {
  for (const [name, text] of Object.entries(files)) box.write(`sys/devices/system/cpu/${name}`, `${text}\n`);
}

test('the settings are made where the system has them, and undone', () => {
  const box = machine();
  cpu(box, {
    'cpu0/cpufreq/scaling_governor': 'powersave',
    'cpu1/cpufreq/scaling_governor': 'performance',
    'cpu0/cpufreq/energy_performance_preference': 'balance_performance',
    'intel_pstate/no_turbo': '0',
    'smt/control': 'on',
  });
  box.write('sys/kernel/mm/transparent_hugepage/enabled', '[always] madvise never\n');
  box.write('proc/sys/vm/swappiness', '60\n');
  const before = picture(box);
  assert.equal(run(box, 'machine', ['on']).code, 0);
  const read = (name) => box.read(`sys/devices/system/cpu/${name}`).trim();
  assert.equal(read('cpu0/cpufreq/scaling_governor'), 'performance');
  assert.equal(read('cpu0/cpufreq/energy_performance_preference'), 'performance');
  assert.equal(read('intel_pstate/no_turbo'), '1');
  assert.equal(read('smt/control'), 'off');
  assert.equal(box.read('proc/sys/vm/swappiness'), '1\n');
  assert.ok(!box.exists('sys/devices/system/cpu/cpufreq/boost'), 'a setting that is not there is not made');
  const set = picture(box);
  // A kernel shows the choices around the one in force, a plain file does not: the one difference.
  assert.equal(run(box, 'machine', ['on']).code, 0);
  assert.deepEqual(picture(box), set);
  assert.equal(run(box, 'machine', ['off']).code, 0);
  before['sys/kernel/mm/transparent_hugepage/enabled'] = '644 always\n';
  assert.deepEqual(picture(box), before);
});

test('on AMD boost goes off for all and for each CPU, and SMT that cannot be switched is left alone', () => {
  const box = machine();
  cpu(box, { 'cpufreq/boost': '1', 'cpu0/cpufreq/boost': '1', 'smt/control': 'notsupported' });
  assert.equal(run(box, 'machine', ['on']).code, 0);
  const read = (name) => box.read(`sys/devices/system/cpu/${name}`).trim();
  assert.deepEqual(['cpufreq/boost', 'cpu0/cpufreq/boost', 'smt/control'].map(read), [
    '0',
    '0',
    'notsupported',
  ]);
});

// The hook.

const OURS = { full_name: 'acme/parser' };
const pull = (head) => ({ repository: OURS, pull_request: { head: { repo: head }, base: { repo: OURS } } });

function hook(event, payload, more = {}) {
  const box = machine();
  box.write('etc/benchgate/runner.conf', 'REPOSITORY=acme/parser\n');
  const workspace = 'var/lib/benchgate/runner/_work/parser/parser';
  box.write(`${workspace}/target/criterion/left/over.json`, '{}');
  box.write(`${workspace}/.hidden`, '');
  box.write('event.json', typeof payload === 'string' ? payload : JSON.stringify(payload));
  fs.mkdirSync(path.join(box.root, 'run/benchgate'));
  const done = run(box, 'job-started.sh', [], {
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: path.join(box.root, 'event.json'),
    GITHUB_WORKSPACE: path.join(box.root, workspace),
    ...(typeof more === 'function' ? more(box) : more),
  });
  const left = fs.readdirSync(path.join(box.root, workspace));
  return { ...done, left, busy: box.exists('run/benchgate/job') };
}

for (const [event, payload] of [
  ['pull_request', pull(OURS)],
  ['pull_request', pull({ full_name: 'Acme/Parser' })],
  ['push', { repository: OURS }],
  ['merge_group', { repository: OURS }],
  ['workflow_dispatch', { repository: OURS }],
]) {
  test(`the hook lets a job of the repository pass and cleans for it: ${event}`, () => {
    const done = hook(event, payload);
    assert.equal(done.code, 0, done.said);
    assert.deepEqual(done.left, [], 'the workspace is empty');
    assert.ok(done.busy, 'updates wait');
  });
}

for (const [name, event, payload, expected] of [
  [
    'a fork',
    'pull_request',
    pull({ full_name: 'mallory/parser' }),
    /the code of a fork \(mallory\/parser\) does not run here/,
  ],
  ['a fork that is gone', 'pull_request', pull(null), /the code of a fork \(a deleted one\)/],
  [
    'a name that only begins like ours',
    'pull_request',
    pull({ full_name: 'acme/parser-evil' }),
    /the code of a fork/,
  ],
  [
    'a pull request without a head',
    'pull_request',
    { repository: OURS, pull_request: { base: { repo: OURS } } },
    /the code of a fork/,
  ],
  [
    "another repository's pull request",
    'pull_request',
    { pull_request: { head: { repo: { full_name: 'x/y' } }, base: { repo: { full_name: 'x/y' } } } },
    /it works for acme\/parser alone/,
  ],
  [
    "another repository's push",
    'push',
    { repository: { full_name: 'x/y' } },
    /it works for acme\/parser alone/,
  ],
  [
    'a trigger that gives rights to untrusted code',
    'pull_request_target',
    pull(OURS),
    /jobs of the event pull_request_target do not run here/,
  ],
  ['a comment', 'issue_comment', { repository: OURS }, /jobs of the event issue_comment/],
  ['a run after a run', 'workflow_run', { repository: OURS }, /jobs of the event workflow_run/],
  ['no event', '', { repository: OURS }, /jobs of the event \(none\)/],
  ['a payload that is not JSON', 'pull_request', '{', /the event's payload is not JSON/],
  ['an empty payload', 'push', '', /it works for acme\/parser alone|not JSON/],
]) {
  test(`the hook refuses ${name}, and nothing was cleaned or marked`, () => {
    const done = hook(event, payload);
    assert.equal(done.code, 1, done.said);
    assert.match(done.said, /^::error title=Refused by this machine::/);
    assert.match(done.said, expected);
    assert.ok(done.left.length > 0 && !done.busy);
  });
}

test("the hook refuses to clean outside of the runner's own folder", () => {
  for (const workspace of [
    '/',
    'var/lib/benchgate/runner/_work',
    'var/lib/benchgate/runner/_work/../../x',
    'home',
  ]) {
    const done = hook('push', { repository: OURS }, (box) => ({
      GITHUB_WORKSPACE: path.join(box.root, workspace),
    }));
    assert.equal(done.code, 1, `${workspace}: ${done.said}`);
    assert.match(done.said, /is not below/);
    assert.ok(done.left.length > 0);
  }
});

test('the hook refuses a job while the machine is updated', () => {
  const done = hook('push', { repository: OURS }, (box) => {
    box.write('run/benchgate-updating', '');
    return {};
  });
  assert.equal(done.code, 1);
  assert.match(done.said, /it is being updated; run the job again/);
});

// One job, and what is around it.

test('a job finds a runner of its own and nothing of the job before', () => {
  const box = machine();
  setUp(box);
  box.write('run/benchgate-jit/config', 'jit-configuration\n');
  for (const left of [
    'runner/planted',
    '.bashrc',
    '.cargo/config.toml',
    '.cargo/bin/cargo',
    '.cargo/registry/cache/a.crate',
    '.rustup/settings.toml',
  ]) {
    box.write(`var/lib/benchgate/${left}`, 'left');
  }
  const done = run(box, 'run-one-job');
  assert.equal(done.code, 0, done.said);
  const home = (name) => box.exists(`var/lib/benchgate/${name}`);
  assert.match(
    box.read('var/lib/benchgate/runner/job.log'),
    /^ran \(\) in .*\/runner with jit-configuration\n$/,
  );
  for (const gone of ['runner/planted', '.bashrc', '.cargo', '.rustup']) assert.ok(!home(gone), gone);
});

/** A GitHub that answers one way; gives its address, and what it was asked. */
async function github(status, answer) {
  const asked = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, token: request.headers.authorization, body });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { asked, address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function register(box, address) {
  return new Promise((done) => {
    const child = spawn(path.join(HERE, 'register-runner'), {
      env: { ...box.env, GITHUB_API_URL: address, no_proxy: '127.0.0.1' },
    });
    let said = '';
    child.stdout.on('data', (part) => (said += part));
    child.stderr.on('data', (part) => (said += part));
    child.on('close', (code) => done({ code, said }));
  });
}

test('a runner is registered for one job, with the labels that the workflow asks for', async () => {
  const box = machine();
  setUp(box);
  const api = await github(201, { runner: { id: 1 }, encoded_jit_config: 'abc=' });
  const done = await register(box, api.address);
  api.close();
  assert.equal(done.code, 0, done.said);
  assert.equal(box.read('run/benchgate-jit/config'), 'abc=\n');
  assert.equal(
    fs.statSync(path.join(box.root, 'run/benchgate-jit/config')).mode & 0o007,
    0,
    'not for everyone',
  );
  const [{ method, url, token, body }] = api.asked;
  assert.equal(`${method} ${url}`, 'POST /repos/acme/parser/actions/runners/generate-jitconfig');
  assert.equal(token, 'Bearer secret-token');
  assert.deepEqual(JSON.parse(body).labels, ['self-hosted', 'linux', 'x64', 'manjaro', 'bench']);
});

test('a registration that GitHub refuses says why, without the token', async () => {
  const box = machine();
  setUp(box);
  const api = await github(403, { message: 'Resource not accessible by personal access token' });
  const done = await register(box, api.address);
  api.close();
  assert.equal(done.code, 1);
  assert.match(done.said, /did not register a runner for acme\/parser: Resource not accessible/);
  assert.doesNotMatch(done.said, /secret-token/);
  assert.ok(!box.exists('run/benchgate-jit/config'));
});

test("an update stops the runner, takes the whole system and does the timers' work", () => {
  const box = machine();
  setUp(box);
  box.calls();
  const done = run(box, 'update');
  assert.equal(done.code, 0, done.said);
  assert.deepEqual(box.calls(), [
    'systemctl stop benchgate-runner.service',
    'pacman --sync --refresh --sysupgrade --noconfirm',
    'systemctl start pamac-mirrorlist.service',
    'systemctl start man-db.service',
    'systemctl start benchgate-runner.service',
  ]);
  assert.ok(!box.exists('run/benchgate-updating'));
});

test('an update waits for the end of a job', () => {
  const box = machine();
  setUp(box);
  box.calls();
  box.write('run/benchgate/job', '');
  const done = run(box, 'update');
  assert.equal(done.code, 75, done.said);
  assert.deepEqual(box.calls(), []);
  assert.ok(!box.exists('run/benchgate-updating'));
});
