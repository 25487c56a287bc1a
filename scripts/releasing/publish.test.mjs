// What is published of a release: on an index and a cargo of the tests' own.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { ROOT, read, run, serve, sha256, temporary, write } from './testing.mjs';

const { files: served, url } = await serve();

// Four packages, an index, and a cargo that packages what the release holds.
async function publish(index, packaged = (name) => `${name} as released`) {
  const folder = temporary();
  const names = ['benchgate-core', 'benchgate-runtime', 'benchgate-host', 'benchgate'];
  const sums = names.map((name) => `${sha256(`${name} as released`)}  ${name}-1.2.3.crate\n`);
  write(path.join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  benchgate-1.2.3-x.tar.gz\n${sums.join('')}`);
  for (const name of names) {
    const key = `/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
    const checksum = index(name);
    served.delete(key);
    if (checksum) served.set(key, `${JSON.stringify({ vers: '1.2.3', cksum: checksum })}\n`);
    write(path.join(folder, 'packaged', `${name}-1.2.3.crate`), packaged(name));
  }
  write(
    path.join(folder, 'bin/cargo'),
    `#!/usr/bin/env bash
echo "$1 \${*: -1}" >>"$CALLS"
if [[ $1 == package ]]; then
  mkdir -p "$CARGO_TARGET_DIR/package"
  cp "$PACKAGED/\${*: -1}-1.2.3.crate" "$CARGO_TARGET_DIR/package/"
fi
`,
    0o755,
  );
  const calls = path.join(folder, 'calls');
  const done = await run('python3', ['-B', path.join(ROOT, 'scripts/releasing/publish'), folder], {
    env: {
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: process.env.HOME,
      RELEASE_INDEX: url,
      CARGO_TARGET_DIR: path.join(folder, 'target'),
      PACKAGED: path.join(folder, 'packaged'),
      CALLS: calls,
    },
  });
  const called = read(calls).split('\n');
  return {
    ...done,
    published: called.filter((call) => call.startsWith('publish')).map((call) => call.slice(8)),
  };
}

test('packages are published in the order in which they need each other', async () => {
  const done = await publish(() => undefined);
  assert.equal(done.status, 0, done.text);
  assert.deepEqual(done.published, ['benchgate-core', 'benchgate-runtime', 'benchgate-host', 'benchgate']);
});

test('what an earlier attempt has published is left out', async () => {
  const done = await publish((name) => name === 'benchgate-core' && sha256(`${name} as released`));
  assert.equal(done.status, 0, done.text);
  assert.match(done.text, /benchgate-core-1\.2\.3\.crate: is on crates\.io already/);
  assert.deepEqual(done.published, ['benchgate-runtime', 'benchgate-host', 'benchgate']);
});

test('a package that crates.io has otherwise ends it', async () => {
  const done = await publish((name) => name === 'benchgate-host' && sha256('another'));
  assert.equal(done.status, 1, done.text);
  assert.match(done.text, /benchgate-host-1\.2\.3\.crate was not published: crates\.io has another one/);
  assert.deepEqual(done.published, ['benchgate-core', 'benchgate-runtime']);
});

test('a package that differs from the released one is not published', async () => {
  const done = await publish(
    () => undefined,
    (name) => (name === 'benchgate-core' ? 'other bytes' : `${name} as released`),
  );
  assert.equal(done.status, 1, done.text);
  assert.match(done.text, /benchgate-core-1\.2\.3\.crate was not published: it would be/);
  assert.deepEqual(done.published, []);
});
