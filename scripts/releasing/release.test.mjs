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
