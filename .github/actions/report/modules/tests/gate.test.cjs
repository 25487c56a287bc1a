'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { nameOf } = require('../gate.cjs');

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
