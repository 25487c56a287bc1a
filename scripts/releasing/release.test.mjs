// What a release refuses: on a repository of the tests' own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { ROOT, read, run, temporary, write } from './testing.mjs';

function git(folder, ...args) {
  const settings = [
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  return run('git', ['-C', folder, ...settings, ...args], {});
}

// A repository that has a version, a changelog and an owner, and scripts/release.
async function repository({ changelog, owner = 'acme' }) {
  const folder = temporary();
  for (const name of ['release', 'releasing', 'ci']) {
    fs.cpSync(path.join(ROOT, 'scripts', name), path.join(folder, 'scripts', name), { recursive: true });
  }
  write(path.join(folder, '.gitignore'), '/target\n');
  write(path.join(folder, 'CHANGELOG.md'), changelog);
  write(path.join(folder, 'Cargo.toml'), '[workspace]\nmembers = ["crates/*"]\nresolver = "3"\n');
  write(
    path.join(folder, 'Cargo.lock'),
    'version = 4\n\n[[package]]\nname = "benchgate"\nversion = "1.2.3"\n',
  );
  write(
    path.join(folder, 'crates/benchgate/Cargo.toml'),
    '[package]\nname = "benchgate"\nversion = "1.2.3"\nedition = "2024"\n' +
      `repository = "https://github.com/${owner}/benchgate"\n`,
  );
  write(path.join(folder, 'crates/benchgate/src/main.rs'), 'fn main() {}\n');
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message=all');
  return folder;
}

async function release(folder, args, environment = {}) {
  const { CARGO_TARGET_DIR: _, GITHUB_REPOSITORY: __, ...env } = process.env;
  return run('python3', ['-B', 'scripts/release', ...args], { cwd: folder, env: { ...env, ...environment } });
}

const CHANGELOG =
  '# Changelog\n\n## 1.2.3 (2026-01-31)\n\n- A [page](CHANGELOG.md#x) and [another](https://a.example).\n';

test('a tag that version, changelog and repository fit is released with notes that lead to it', async () => {
  const folder = await repository({ changelog: `${CHANGELOG}\n## 1.2.2 (2026-01-01)\n\n- Old.\n` });
  await git(folder, 'tag', 'v1.2.3');
  const done = await release(folder, ['--tag', 'v1.2.3', 'state', 'notes'], {
    GITHUB_REPOSITORY: 'acme/benchgate',
  });
  assert.equal(done.status, 0, done.text);
  const notes = read(path.join(folder, 'target/releasing/files/release-notes.md'));
  assert.match(notes, /\[page\]\(https:\/\/github\.com\/acme\/benchgate\/blob\/v1\.2\.3\/CHANGELOG\.md#x\)/);
  assert.match(notes, /\[another\]\(https:\/\/a\.example\)/);
  assert.match(notes, /gh attestation verify FILE --repo acme\/benchgate/);
  assert.doesNotMatch(notes, /Old/);
});

const REFUSED = [
  ['a tag of another version', {}, ['--tag', 'v1.2.4'], {}, /the tag is `v1\.2\.4`.*expected `v1\.2\.3`/s],
  [
    'a changelog without the version',
    { changelog: '# Changelog\n\n## Unreleased\n\n- New.\n' },
    ['--tag', 'v1.2.3'],
    {},
    /the first entry is `## Unreleased`, expected `## 1\.2\.3/,
  ],
  [
    'a changelog of another version',
    { changelog: '# Changelog\n\n## 1.2.2 (2026-01-01)\n\n- Old.\n' },
    [],
    {},
    /the first entry is `## 1\.2\.2`/,
  ],
  [
    'entries that are not released, above the version',
    { changelog: CHANGELOG.replace('## 1.2.3', '## Unreleased\n\n- More.\n\n## 1.2.3') },
    ['--tag', 'v1.2.3'],
    {},
    /the first entry is `## Unreleased`/,
  ],
  [
    'a heading of another form',
    { changelog: '# Changelog\n\n## v1.2.3\n\n- New.\n' },
    [],
    {},
    /`## v1\.2\.3` is not a heading of a release/,
  ],
  [
    'a repository without an owner',
    { owner: 'OWNER' },
    ['--tag', 'v1.2.3'],
    {},
    /write the owner of this repository/,
  ],
  [
    'a run in another repository',
    {},
    ['--tag', 'v1.2.3'],
    { GITHUB_REPOSITORY: 'fork/benchgate' },
    /this runs in fork\/benchgate/,
  ],
];
for (const [what, content, args, environment, reason] of REFUSED) {
  test(`${what} is refused`, async () => {
    const folder = await repository({ changelog: CHANGELOG, ...content });
    const done = await release(folder, [...args, 'state'], environment);
    assert.equal(done.status, 1, done.text);
    assert.match(done.text, reason);
  });
}

test('a changed working tree is refused, and a tag of another commit', async () => {
  const folder = await repository({ changelog: CHANGELOG });
  await git(folder, 'tag', 'v1.2.3');
  write(path.join(folder, 'new'), '');
  const dirty = await release(folder, ['--tag', 'v1.2.3', 'state']);
  assert.equal(dirty.status, 1, dirty.text);
  assert.match(dirty.text, /the working tree has changes/);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message=more');
  const moved = await release(folder, ['--tag', 'v1.2.3', 'state']);
  assert.equal(moved.status, 1, moved.text);
  assert.match(moved.text, /the tag v1\.2\.3 is [0-9a-f]{12}, and this is [0-9a-f]{12}/);
});

test('a release that is incomplete is not assembled', async () => {
  const folder = await repository({ changelog: CHANGELOG });
  const done = await release(folder, ['--tag', 'v1.2.3', '--complete', 'assemble']);
  assert.equal(done.status, 1, done.text);
  assert.match(done.text, /there is no archive/);
});

// What `build.rs` leaves in the executable: of each, one build has another than the other.
const LEAKS = [
  ['nothing', '()'],
  ['the hour', 'std::time::SystemTime::now()'],
  ['the folder of the sources', 'std::env::current_dir()'],
  ['the target folder', 'std::env::var("OUT_DIR")'],
  ["cargo's home", 'std::env::var("CARGO_HOME")'],
];
for (const [what, value] of LEAKS) {
  test(`two builds, and ${what} in the executable`, async () => {
    const folder = await repository({ changelog: CHANGELOG });
    const crate = path.join(folder, 'crates/benchgate');
    // Its digest: a path itself is refused in one build already.
    write(
      path.join(crate, 'build.rs'),
      'use std::hash::{DefaultHasher, Hash, Hasher};\nfn main() {\n    let mut hasher = DefaultHasher::new();\n' +
        `    format!("{:?}", ${value}).hash(&mut hasher);\n` +
        '    println!("cargo::rustc-env=MADE_OF={:x}", hasher.finish());\n}\n',
    );
    write(path.join(crate, 'src/main.rs'), 'fn main() {\n    println!(env!("MADE_OF"));\n}\n');
    write(path.join(crate, 'src/bin/cargo-benchgate.rs'), 'fn main() {}\n');
    fs.appendFileSync(path.join(folder, 'Cargo.toml'), '[profile.dist]\ninherits = "release"\n');
    // There is no such critcmp: what comes after the comparison ends there.
    write(path.join(folder, 'scripts/ci/common.sh'), 'CRITCMP_VERSION=0.0.0\n');
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '--message=leak');
    const done = await release(folder, ['binary'], { CARGO_NET_OFFLINE: 'true' });
    assert.equal(done.status, 1, done.text);
    const same = /benchgate: built twice, in other folders, the same \d+ bytes/;
    assert.match(done.text, value === '()' ? same : /two builds of benchgate differ from byte \d+ on/);
  });
}

test('an archive without its bill of materials is not assembled', async () => {
  const folder = await repository({ changelog: CHANGELOG });
  const archive = 'benchgate-1.2.3-x86_64-unknown-linux-musl';
  write(path.join(folder, 'target/releasing/files', `${archive}.tar.gz`), '');
  const done = await release(folder, ['assemble']);
  assert.equal(done.status, 1, done.text);
  assert.ok(done.text.includes(`there is no ${archive}.cdx.json`), done.text);
});

// Builds the program, and writes its bill of materials.
const BILL = `
import subprocess, sys
from pathlib import Path
sys.path.insert(0, "scripts/releasing")
import project, sbom
target = project.run("rustc", "--print", "host-tuple").stdout.strip()
command = ["cargo", "build", "--offline", "--package", "benchgate", "--target", target, "--target-dir", "target"]
command += ["--message-format=json"]
made = sbom.built(subprocess.run(command, capture_output=True, check=True, text=True).stdout, target, "debug")
change = eval(sys.argv[1])
class It:
    not_done = []
program = Path("target") / target / "debug/benchgate"
manifest = Path("crates/benchgate/Cargo.toml").resolve()
sbom.write(It, Path("benchgate-1.2.3.cdx.json"), manifest, target, {"benchgate": program}, change(made))
`;

// A program with a dependency, one that only builds it, and one that another package of the workspace turns on.
async function withDependencies() {
  const folder = await repository({ changelog: CHANGELOG });
  const packages = {
    used: '[features]\ndefault = []\nmore = ["dep:elsewhere"]\n[dependencies]\nelsewhere = { path = "../elsewhere", optional = true }\n',
    elsewhere: '',
    builds: '',
    other: '[dependencies]\nused = { path = "../used", features = ["more"] }\n',
  };
  for (const [name, more] of Object.entries(packages)) {
    const about = `name = "${name}"\nversion = "0.1.0"\nedition = "2024"\nlicense = "MIT/Apache-2.0"\n`;
    write(path.join(folder, 'crates', name, 'Cargo.toml'), `[package]\n${about}${more}`);
    write(path.join(folder, 'crates', name, 'src/lib.rs'), '');
  }
  const program = path.join(folder, 'crates/benchgate');
  fs.appendFileSync(
    path.join(program, 'Cargo.toml'),
    'license = "MIT"\n[dependencies]\nused = { path = "../used" }\n' +
      '[build-dependencies]\nbuilds = { path = "../builds" }\n',
  );
  write(path.join(program, 'build.rs'), 'fn main() {}\n');
  await run('cargo', ['generate-lockfile', '--offline'], { cwd: folder });
  return folder;
}

test('a bill of materials has what was built into the program, wherever that was', async () => {
  const bills = [];
  for (const folder of [await withDependencies(), await withDependencies()]) {
    const done = await run('python3', ['-B', '-c', BILL, 'lambda made: made'], { cwd: folder });
    assert.equal(done.status, 0, done.text);
    const text = read(path.join(folder, 'benchgate-1.2.3.cdx.json'));
    assert.ok(!text.includes(folder), text);
    bills.push(JSON.parse(text));
    delete bills.at(-1).metadata.component.components[0].hashes; // of a program with line tables
  }
  const [bill, again] = bills;
  assert.deepEqual(bill, again);
  assert.equal(bill.metadata.component.purl, 'pkg:cargo/benchgate@1.2.3');
  assert.deepEqual(
    bill.components.map((part) => [part.purl, part.licenses[0].expression]),
    [['pkg:cargo/used@0.1.0', 'MIT OR Apache-2.0']],
  );
  assert.deepEqual(bill.dependencies, [
    { ref: 'pkg:cargo/benchgate@1.2.3', dependsOn: ['pkg:cargo/used@0.1.0'] },
    { ref: 'pkg:cargo/used@0.1.0', dependsOn: [] },
  ]);
});

for (const [change, reason] of [
  ['lambda made: made | {("elsewhere", "0.1.0")}', /lacks what was built: \[\('elsewhere', '0\.1\.0'\)\]/],
  ['lambda made: made - {("used", "0.1.0")}', /lists what was not built: \[\('used', '0\.1\.0'\)\]/],
]) {
  test(`a bill of materials that differs from the build is refused: ${change}`, async () => {
    const done = await run('python3', ['-B', '-c', BILL, change], { cwd: await withDependencies() });
    assert.equal(done.status, 1, done.text);
    assert.match(done.text, reason);
  });
}
