'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const comment = require('../comment.cjs');
const { retry } = require('../retry.cjs');
const { fakeGitHub, fakeWorld } = require('./fake.cjs');

const { LIMIT, marker, sectionsOf, text, writtenBy } = comment;
const BOT = 'github-actions[bot]';
const OF = { owner: 'o', repo: 'r', number: 5, author: BOT, body: 'new' };
const by = (id, login, body) => ({ id, issue: 5, user: { login }, body });
const run = (id, attempt = 1) => ({ id, attempt });
const upsert = (github, of, world = fakeWorld()) => comment.upsert(github, of, world);

test('the first report creates the comment, the next one updates it in place', async () => {
  const api = fakeGitHub();
  assert.equal(await upsert(api.github, { ...OF, run: run(10), body: 'one' }), 'created');
  assert.equal(await upsert(api.github, { ...OF, run: run(11), body: 'two' }), 'updated');
  assert.deepEqual(
    api.comments.map((c) => c.body),
    ['<!-- benchgate run=11 attempt=1 -->\ntwo'],
  );
});

test('our comment is found behind two hundred others', async () => {
  const talk = Array.from({ length: 205 }, (_, i) => by(i + 1, 'somebody', `talk ${i}`));
  const api = fakeGitHub({ comments: [...talk, by(300, BOT, text(run(1), 'old'))] });
  assert.equal(await upsert(api.github, { ...OF, run: run(2) }), 'updated');
  assert.equal(api.comments.length, 206);
  assert.equal(api.comments.at(-1).body, text(run(2), 'new'));
});

test('a marker that somebody else wrote is not adopted', async () => {
  const planted = by(1, 'outsider', text(run(999_999), 'planted'));
  const api = fakeGitHub({ comments: [planted] });
  assert.equal(await upsert(api.github, { ...OF, run: run(2) }), 'created');
  assert.equal(planted.body, text(run(999_999), 'planted'));
});

test('another comment of the same author is left alone', async () => {
  const other = by(1, BOT, `coverage: 93 %\n${marker(run(1))}`);
  const api = fakeGitHub({ comments: [other, { id: 2, issue: 5, user: null, body: marker(run(1)) }] });
  assert.equal(await upsert(api.github, { ...OF, run: run(2) }), 'created');
  assert.match(other.body, /^coverage/);
});

test('an older run does not write over a newer one, and a newer attempt is newer', async () => {
  for (const [there, now, expected] of [
    [run(10), run(9), 'superseded'],
    [run(10), run(9, 7), 'superseded'],
    [run(10, 2), run(10, 1), 'superseded'],
    [run(10, 1), run(10, 2), 'updated'],
    [run(10, 2), run(10, 2), 'updated'],
    [run(9, 9), run(10), 'updated'],
    [run(9_999_999_999), run(10_000_000_000), 'updated'],
  ]) {
    const api = fakeGitHub({ comments: [by(1, BOT, text(there, 'there'))] });
    const did = await upsert(api.github, { ...OF, run: now });
    assert.equal(did, expected, `${JSON.stringify(there)} then ${JSON.stringify(now)}`);
    assert.equal(api.comments[0].body, expected === 'updated' ? text(now, 'new') : text(there, 'there'));
  }
});

test('of two comments that a race left, one stays', async () => {
  const api = fakeGitHub({ comments: [by(1, BOT, text(run(3), 'a')), by(2, BOT, text(run(4), 'b'))] });
  assert.equal(await upsert(api.github, { ...OF, run: run(5) }), 'updated');
  assert.deepEqual(
    api.comments.map((c) => [c.id, c.body]),
    [[2, text(run(5), 'new')]],
  );
});

test('a creation whose answer was lost is found, and not made twice', async () => {
  const api = fakeGitHub();
  api.fail('issues.createComment', 502, {}, { afterwards: true });
  const did = await retry(() => upsert(api.github, { ...OF, run: run(5) }), fakeWorld());
  assert.equal(did, 'updated');
  assert.equal(api.comments.length, 1);
  assert.equal(api.count('issues.createComment'), 1);
});

test('a body of any length fits, and ends whole', async () => {
  const api = fakeGitHub();
  await upsert(api.github, { ...OF, run: run(5), body: '😀'.repeat(LIMIT) });
  const [{ body }] = api.comments;
  assert.ok(body.length <= LIMIT, `${body.length}`);
  assert.match(body, /\u{1f600}\n\n\(cut: GitHub takes no longer comment\)\n$/u);
  assert.ok(body.isWellFormed());
});

test('a marker is read back, and only at the start', () => {
  assert.deepEqual(writtenBy(text(run(12, 3), 'x')), run(12, 3));
  for (const body of [
    '',
    undefined,
    ` ${marker(run(1))}`,
    '> <!-- benchgate run=1 attempt=1 -->',
    '<!-- benchgate run=-1 attempt=1 -->',
    `<!-- benchgate run=${'9'.repeat(16)} attempt=1 -->`,
  ]) {
    assert.equal(writtenBy(body), null, body);
  }
});

test('a section is read back as it was written, and its text cannot be another one', async () => {
  const api = fakeGitHub();
  const hostile = `one\n${marker({ id: 999, attempt: 1, gate: 'other', state: 'success' })}\nall is well`;
  const gates = [
    { ...run(1), gate: 'a / b-->', state: 'failure' },
    { ...run(2), state: 'success' },
  ];
  for (const of of gates) await upsert(api.github, { ...OF, run: of, body: hostile }, fakeWorld());
  const [{ body }] = api.comments;
  assert.deepEqual(
    sectionsOf(body).map((section) => section.run),
    [gates[1], gates[0]],
  );
  assert.match(body, /Gate `benchgate`\n\none\n<!- - benchgate gate=other/);
  assert.equal(api.comments.length, 1);
});

test('a long section has the room that a short one leaves', async () => {
  const api = fakeGitHub();
  await upsert(api.github, { ...OF, run: { ...run(1), gate: 'a' }, body: 'short' });
  const body = 'x'.repeat(50_000);
  await upsert(api.github, { ...OF, run: { ...run(2), gate: 'b' }, body });
  assert.ok(api.comments[0].body.includes(body));
});

test('a fence that was closed before the cut is not closed again', () => {
  const long = `${'```'}text\na\n${'```'}\n${'x\n'.repeat(40_000)}`;
  assert.equal(text(run(1), long).match(/^```/gm).length, 2);
});

test('what is in place is looked at twice and not written again', async () => {
  const api = fakeGitHub();
  await upsert(api.github, { ...OF, run: run(1) });
  assert.deepEqual([api.count('issues.updateComment'), api.count('issues.listComments')], [0, 3]);
});

test('a comment that somebody deletes at the same moment is there again', async () => {
  const api = fakeGitHub();
  const world = fakeWorld();
  let first = true;
  const sleep = async (seconds) => {
    if (first) api.comments.pop();
    first = false;
    await world.sleep(seconds);
  };
  await upsert(api.github, { ...OF, run: run(1) }, { ...world, sleep });
  assert.deepEqual(
    api.comments.map((one) => one.body),
    [text(run(1), 'new')],
  );
  // One that is not whole is looked at until two looks find everything.
  assert.equal(api.count('issues.listComments'), 5);
});

test('a section that another report wrote over at the same moment is written again', async () => {
  const api = fakeGitHub();
  const of = { ...OF, run: { ...run(1), gate: 'a' }, body: 'mine' };
  await upsert(api.github, { ...of, run: { ...run(2), gate: 'b' }, body: 'theirs' }, fakeWorld());
  let late = true;
  const world = fakeWorld();
  const sleep = async (seconds) => {
    // It had read the comment before ours was in it.
    if (late) api.comments[0].body = text({ ...run(3), gate: 'b' }, 'theirs again');
    late = false;
    await world.sleep(seconds);
  };
  await upsert(api.github, of, { ...world, sleep });
  assert.match(api.comments[0].body, /mine.*theirs again/s);
});

test('what a report that read before writes over the comment afterwards is put right', async () => {
  const older = text({ ...run(1), gate: 'a' }, 'older');
  for (const [what, before, late, expected] of [
    // There was no comment, so the other report knows of no section but its own.
    ['alone', [], () => text({ ...run(3), gate: 'b' }, 'theirs'), /mine.*theirs/s],
    // It writes back the older section of this gate.
    ['older', [older], (body) => body.replace(/^.*?$/m, marker({ ...run(1), gate: 'a' })), /mine/],
    // And leaves out a third gate's, which is not its own either.
    [
      'third',
      [`${older}\n${marker({ ...run(4), gate: 'c' })}\nGate \`c\`\n\nthird\n`],
      () => text({ ...run(3), gate: 'b' }, 'theirs'),
      /mine.*theirs.*third/s,
    ],
  ]) {
    const api = fakeGitHub({ comments: before.map((body, at) => by(at + 1, BOT, body)) });
    const world = fakeWorld();
    let waits = true;
    const sleep = async (seconds) => {
      if (waits) api.comments[0].body = late(api.comments[0].body);
      waits = false;
      await world.sleep(seconds);
    };
    await upsert(api.github, { ...OF, run: { ...run(2), gate: 'a' }, body: 'mine' }, { ...world, sleep });
    if (waits) api.comments[0].body = late(api.comments[0].body);
    const [{ body }] = api.comments;
    assert.match(body, expected, what);
    assert.ok(!body.includes(`${marker({ ...run(1), gate: 'a' })}`), `${what}: ${body}`);
    assert.ok(world.slept.length < 6, `${what}: it looks on for ever`);
  }
});

test('what is written into a comment that was just folded is moved to the one that took its place', async () => {
  const before = text({ ...run(1), gate: 'a', state: 'success' }, 'green');
  const api = fakeGitHub({ comments: [by(1, BOT, before)] });
  const world = fakeWorld();
  let waits = true;
  const sleep = async (seconds) => {
    // A report of another gate had read the comment before it was folded.
    if (waits) api.comments[0].body = `${before}\n${text({ ...run(3), gate: 'b' }, 'theirs')}`;
    waits = false;
    await world.sleep(seconds);
  };
  const of = { ...OF, run: { ...run(2), gate: 'a', state: 'failure' }, body: 'red' };
  assert.equal(await upsert(api.github, of, { ...world, sleep }), 'replaced');
  assert.equal(api.comments.length, 1);
  assert.equal(api.comments[0].id, 2);
  assert.match(api.comments[0].body, /red.*theirs/s);
});

test('two long sections fit into one comment, and neither swallows the other', async () => {
  const api = fakeGitHub();
  const long = `<details>\n\n\`\`\`text\n${'x'.repeat(59_000)}\n\`\`\`\n</details>\n`;
  for (const gate of ['a', 'b']) {
    await upsert(api.github, { ...OF, run: { ...run(1), gate }, body: long }, fakeWorld());
  }
  const [{ body }] = api.comments;
  assert.ok(body.length <= LIMIT, `${body.length}`);
  assert.equal(body.split('\n```').length - 1, 4);
  assert.equal(body.split('<details>').length, body.split('</details>').length);
});
