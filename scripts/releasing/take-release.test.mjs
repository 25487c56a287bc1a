// What the action takes of a release, and when it builds: on a server, a checkout and a cargo of the tests' own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

import { ROOT, read, run, serve, sha256, temporary, write } from './testing.mjs';

const MACHINE = `Linux-${os.machine()}`;
const { files: served, url } = await serve();

// The action's own checkout: its scripts and the least of a gate, and a cargo that says that it was called.
async function action() {
  const source = temporary();
  fs.cpSync(path.join(ROOT, 'scripts/ci'), path.join(source, 'scripts/ci'), { recursive: true });
  write(path.join(source, 'Cargo.toml'), '[workspace]\n');
  write(path.join(source, 'crates/benchgate/src/main.rs'), 'fn main() {}\n');
  const cargo = path.join(source, 'bin/cargo');
  write(
    cargo,
    `#!/usr/bin/env bash
echo "cargo $1" >>"$CALLS"
mkdir -p "$CARGO_TARGET_DIR/release"
if [[ $1 == build ]]; then
  printf '#!/bin/sh\\necho built\\n' >"$CARGO_TARGET_DIR/release/benchgate"
  chmod +x "$CARGO_TARGET_DIR/release/benchgate"
fi
`,
    0o755,
  );
  const python = "import sys; sys.path.insert(0, 'scripts/ci'); import gate_source, pathlib; ";
  const digest = await run('python3', ['-Bc', `${python}print(gate_source.digest(pathlib.Path('.')))`], {
    cwd: source,
  });
  return { source, digest: digest.text.trim() };
}

// An archive as a release has it, served, and its entry.
async function archive(name) {
  const folder = temporary();
  write(path.join(folder, `${name}-1.0.0/${name}`), '#!/bin/sh\necho released\n', 0o755);
  const file = `${name}-1.0.0.tar.gz`;
  await run('tar', ['-czf', file, `${name}-1.0.0`], { cwd: folder });
  const data = fs.readFileSync(path.join(folder, file));
  served.set(`/${file}`, data);
  return { url: `${url}/${file}`, sha256: sha256(data), path: path.join(folder, file) };
}

async function install({ source }, release) {
  write(path.join(source, 'scripts/ci/release.json'), JSON.stringify(release));
  const temp = temporary();
  const calls = path.join(temp, 'calls');
  const done = await run('bash', [path.join(source, 'scripts/ci/install-tools.sh')], {
    env: {
      PATH: `${source}/bin:${process.env.PATH}`,
      HOME: process.env.HOME,
      RUNNER_TEMP: temp,
      CALLS: calls,
    },
  });
  const tool = path.join(temp, 'benchgate-tools/bin/benchgate');
  return {
    ...done,
    calls: read(calls),
    tool: read(tool),
  };
}

async function released(digest, change = (entries) => entries) {
  const entries = { benchgate: await archive('benchgate'), critcmp: await archive('critcmp') };
  return { version: '1.0.0', source: digest, platforms: { [MACHINE]: change(entries) } };
}

test('the action takes what was released of its source, and compiles nothing', async () => {
  const checkout = await action();
  const done = await install(checkout, await released(checkout.digest));
  assert.equal(done.status, 0, done.text);
  assert.match(done.text, /released 1\.0\.0: benchgate, critcmp\nreleased\n/);
  assert.equal(done.calls, '');
});

test('a release on a disk is taken as one of a server', async () => {
  const checkout = await action();
  const local = (entries) => {
    for (const entry of Object.values(entries)) entry.url = `file://${entry.path}`;
    return entries;
  };
  const done = await install(checkout, await released(checkout.digest, local));
  assert.equal(done.status, 0, done.text);
  assert.equal(done.calls, '');
});

for (const name of ['benchgate', 'critcmp']) {
  test(`another ${name} than the one of release.json is refused by name, and nothing runs`, async () => {
    const checkout = await action();
    const wrong = (entries) => {
      entries[name].sha256 = sha256('something else');
      return entries;
    };
    const done = await install(checkout, await released(checkout.digest, wrong));
    assert.equal(done.status, 1, done.text);
    assert.match(
      done.text,
      new RegExp(`error: ${name} was not installed: http://127.*/${name}-1.0.0.tar.gz`),
    );
    assert.doesNotMatch(done.text, /^(built|released)$/m);
    assert.equal(done.calls, '');
  });
}

test('an archive that does not hold the executable is refused', async () => {
  const checkout = await action();
  const swapped = (entries) => ({ benchgate: entries.critcmp, critcmp: entries.benchgate });
  const done = await install(checkout, await released(checkout.digest, swapped));
  assert.equal(done.status, 1, done.text);
  assert.match(done.text, /error: benchgate was not installed: it is not in http/);
});

const BUILDS = [
  [
    'before the first release',
    async () => ({ version: null, source: null, platforms: {} }),
    /has none for Linux/,
  ],
  [
    'on a machine that nothing was released for',
    async (digest) => {
      const release = await released(digest);
      return { ...release, platforms: { 'Linux-riscv64': release.platforms[MACHINE] } };
    },
    /has none for Linux/,
  ],
  [
    'of a source that is not the released one',
    async () => released('0'.repeat(64)),
    /this checkout is not the source of 1\.0\.0/,
  ],
  [
    'where the release cannot be downloaded',
    async (digest) =>
      released(digest, (entries) => {
        entries.critcmp.url = `${url}/gone.tar.gz`;
        return entries;
      }),
    /gone\.tar\.gz: HTTP Error 404/,
  ],
];
for (const [when, release, reason] of BUILDS) {
  test(`the action builds ${when}`, async () => {
    const checkout = await action();
    const done = await install(checkout, await release(checkout.digest));
    assert.equal(done.status, 0, done.text);
    assert.match(done.text, reason);
    assert.equal(done.calls, 'cargo build\ncargo install\n');
    assert.match(done.tool, /echo built/);
  });
}

test('the digest of the source changes with what the gate is built from, and with nothing else', async () => {
  const { source, digest } = await action();
  const again = async () => {
    const code =
      "import sys; sys.path.insert(0, 'scripts/ci'); import gate_source, pathlib; " +
      "print(gate_source.digest(pathlib.Path('.')))";
    return (await run('python3', ['-Bc', code], { cwd: source })).text.trim();
  };
  write(path.join(source, 'README.md'), 'a document');
  write(path.join(source, 'crates/other/src/lib.rs'), '');
  write(path.join(source, 'crates/benchgate/tests/gate.rs'), '');
  assert.equal(await again(), digest);
  write(path.join(source, 'Cargo.lock'), 'another version of a dependency');
  const locked = await again();
  assert.notEqual(locked, digest);
  // A link to a file that is part of the executable.
  write(path.join(source, 'hook'), 'one');
  fs.symlinkSync('../../hook', path.join(source, 'crates/benchgate/pre-commit'));
  const linked = await again();
  assert.notEqual(linked, locked);
  write(path.join(source, 'hook'), 'two');
  assert.notEqual(await again(), linked);
});
