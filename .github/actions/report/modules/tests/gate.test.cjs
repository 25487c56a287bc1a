'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { nameOf } = require('../gate.cjs');
const { contextOf } = require('../status.cjs');

test('gates of two workflows or two artifacts have two names', () => {
  const at = (file) => `.github/workflows/${file}`;
  const names = [
    [at('benchgate.yml'), undefined, ''],
    [at('benchgate.yml'), 'benchgate-result', ''],
    [at('bench.yml'), 'benchgate-result', 'bench'],
    [at('bench.yaml'), 'benchgate-result', 'bench.yaml'],
    [at('bench.yml'), 'arm', 'bench / arm'],
    [at('arm.yml'), undefined, 'arm'],
    [at('benchgate.yml'), 'arm', 'benchgate / arm'],
  ];
  for (const [workflow, artifact, expected] of names) assert.equal(nameOf({ workflow, artifact }), expected);
  const known = names.slice(1).map(([, , name]) => name);
  assert.equal(new Set(known).size, known.length);
});

test("the page of this repository's workflows has the name of its status", () => {
  const page = fs.readFileSync(path.join(__dirname, '../../../../../docs/dev/own-gate.md'), 'utf8');
  const gate = nameOf({ workflow: '.github/workflows/bench.yml' });
  const name = contextOf({ gate, event: 'pull_request', baseRef: 'main', defaultBranch: 'main' });
  assert.ok(page.includes(`the commit status \`${name}\``), `own-gate.md lacks ${name}`);
});
