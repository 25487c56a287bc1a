// The HTML page in a browser: what it says, to whom, and what it cannot do.
// `scripts/test page` runs it; the pictures are made again with PICTURES=write.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { AXE, enlarged, example, launch, open, pageOf, ROOT, recorded } from './browser.mjs';

const EXAMPLES = ['red', 'green', 'other'];
const PICTURES = join(ROOT, 'docs/examples/pictures');
const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
  print: {},
};

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// The text as it is rendered: what is hidden is not in it.
const seen = (page) => page.evaluate('document.body.innerText');

for (const name of EXAMPLES) {
  test(`the ${name} page asks for nothing, and its policy is not violated`, async () => {
    const { page, wrong, close } = await open(browser, example(name));
    await page.locator('th button').first().click();
    await page.locator('[data-save="result.csv"]').click();
    assert.deepEqual(wrong, []);
    await close();
  });

  test(`the numbers of the ${name} page are those of its result`, async () => {
    const { page, close } = await open(browser, example(name));
    const result = recorded(name);
    const rows = await page.$$eval('#rows tbody tr', (rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.dataset.v ?? cell.textContent)),
    );
    assert.equal(rows.length, result.benchmarks.length);
    const number = (value) => (value === '' ? null : Number(value));
    const metric = (row) => (row.metric === 'time' ? '' : ` ${row.metric}`);
    const said = rows.map(([finding, name, base, head, change, lower]) =>
      JSON.stringify([finding, name.trim(), ...[base, head, change, lower].map(number)]),
    );
    for (const row of result.benchmarks) {
      const [change, lower] = [row.change?.estimate ?? null, row.change?.lower ?? null];
      const numbers = [row.base ?? null, row.head ?? null, change, lower];
      // With its suite if there are several.
      const names = [row.id, `${row.suite}: ${row.id}`].map((name) => `${name}${metric(row)}`);
      const lines = names.map((name) => JSON.stringify([row.finding, name, ...numbers]));
      assert.ok(
        lines.some((line) => said.includes(line)),
        `${lines[0]} is not in the table`,
      );
    }
    const failing = rows.map(([finding]) => ['critical', 'warning'].includes(finding));
    assert.ok(!failing.slice(failing.indexOf(false)).includes(true), 'what fails is not first');
    const data = await page.$eval('#result', (element) => element.textContent);
    assert.deepEqual(JSON.parse(data), result);
    await close();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`axe finds nothing on the ${name} page, ${look}`, async () => {
      const { page, close } = await open(browser, example(name), options);
      if (look === 'print') await page.emulateMedia({ media: 'print' });
      await page.evaluate(AXE);
      const found = await page.evaluate(() => globalThis.axe.run());
      const violations = found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3)}`,
      );
      assert.deepEqual(violations, []);
      assert.ok(found.passes.length > 15);
      await close();
    });
  }
}

test('without scripts every row and number is visible, and no control that does nothing', async () => {
  const { page, close } = await open(browser, example('red'), { javaScriptEnabled: false });
  const text = await seen(page);
  const failing = recorded('red').benchmarks.filter((row) => row.blocking);
  assert.ok(failing.length > 0);
  for (const row of failing) {
    assert.ok(text.includes(row.id) && text.includes(row.reason), row.id);
    assert.ok(text.includes(`${(row.change.estimate * 100).toFixed(1)} %`), row.id);
  }
  assert.equal(await page.locator('.controls:visible').count(), 0);
  assert.equal(await page.locator('svg:visible').count(), await page.locator('svg').count());
  await close();
});

test('what is pasted is copied by a button, and without scripts there is none', async () => {
  const { page, wrong, close } = await open(browser, example('red'), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const lines = await page.locator('[data-copy]').allTextContents();
  assert.ok(lines.some((text) => text.includes('[[waiver]]')));
  assert.equal(await page.locator('.copy').count(), lines.length);
  await page.locator('.copy').first().click();
  await page.locator('.copy', { hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), lines[0]);
  assert.deepEqual(wrong, []);
  await close();
  const plain = await open(browser, example('red'), { javaScriptEnabled: false });
  assert.equal(await plain.page.locator('.copy').count(), 0);
  await plain.close();
});

// Boxes of all text that is seen, and of the marks of figures; what is wrong with them. What scrolls in a box of its own
// may be wider than the window.
function layout() {
  const { styleSheets, documentElement } = document;
  styleSheets[0].insertRule('* { content-visibility: visible !important }', styleSheets[0].cssRules.length);
  const wrong = [];
  const width = documentElement.clientWidth;
  if (documentElement.scrollWidth > width) {
    wrong.push(`the page is ${documentElement.scrollWidth} wide`);
  }
  const scrolls = (node) => node.closest('.figure:not(.stacked), #csv, .skip');
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || parent.closest('svg, select, script, style'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      const said = node.data.trim().slice(0, 40);
      if (!scrolls(parent) && (box.left < -0.5 || box.right > width + 0.5)) {
        wrong.push(`outside: ${said} at ${box.left} to ${box.right}`);
      }
      if (!scrolls(parent)) boxes.push([box, said]);
    }
  }
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const withoutOverlap = (all, what) => {
    all.forEach(([box, said], index) => {
      for (const [other, also] of all.slice(index + 1)) {
        if (overlap(box, other)) wrong.push(`${what}: ${said} and ${also}`);
      }
    });
  };
  withoutOverlap(boxes, 'overlap');
  for (const figure of document.querySelectorAll('svg')) {
    const of = (selector) =>
      [...figure.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility())
        .map((element) => [
          element.getBoundingClientRect(),
          element.textContent || element.getAttribute('class'),
        ])
        .filter(([box]) => box.width > 0);
    const texts = of('text');
    withoutOverlap(texts, 'overlap in a figure');
    for (const [mark, name] of of('.mark, .dot')) {
      for (const [text, said] of texts) {
        if (overlap(mark, text)) wrong.push(`a mark over text: ${name} and ${said}`);
      }
    }
    const frame = figure.getBoundingClientRect();
    for (const [text, said] of texts) {
      if (text.left < frame.left - 0.5 || text.right > frame.right + 0.5) wrong.push(`cut: ${said}`);
    }
  }
  return wrong;
}

for (const name of EXAMPLES) {
  for (const width of [390, 768, 1280, 1920]) {
    test(`nothing of the ${name} page is outside of ${width} pixels, or over something else`, async () => {
      const viewport = { width, height: 1000 };
      const { page, close } = await open(browser, example(name), { viewport });
      assert.deepEqual(await page.evaluate(layout), []);
      // Names and changes are read without scrolling in a figure.
      const rows = await page.locator('.forest svg .name').count();
      const listed = await page.locator('.changes li:visible').count();
      assert.equal(listed, width < 992 ? rows : 0);
      await close();
    });
  }
}

test('without styles it is still in the order in which it is to be read', async () => {
  const { page, close } = await open(browser, example('red'));
  await page.evaluate(() => document.querySelector('style').remove());
  const text = await seen(page);
  const order = ['regression', 'What this says', 'What to do next', 'How much each benchmark changed'];
  const places = [...order, 'Benchmarks that need a look', 'All benchmarks', 'Data'].map((words) =>
    text.indexOf(words),
  );
  assert.ok(
    places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1)),
    `${places}`,
  );
  await close();
});

test('the keyboard reaches every control, sorts, filters, and the address keeps the view', async () => {
  const { page, wrong, close } = await open(browser, example('red'));
  const controls = await page
    .locator('button:visible, input:visible, select:visible, summary:visible, [tabindex="0"]:visible')
    .count();
  const reached = new Set();
  for (let press = 0; press < controls + 10; press += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const all = [...document.querySelectorAll('*')];
      return all.indexOf(document.activeElement);
    });
    reached.add(name);
  }
  assert.ok(reached.size >= controls, `${reached.size} of ${controls}`);

  const changes = () =>
    page.$$eval('#rows tbody tr:not([hidden])', (rows) => rows.map((row) => row.cells[4].dataset.v));
  await page.locator('th[data-key="change"] button').focus();
  await page.keyboard.press('Enter');
  const down = await changes();
  // What has no change is last.
  const numbers = down.filter((value) => value !== '').map(Number);
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  );
  assert.deepEqual(down.slice(numbers.length), Array(down.length - numbers.length).fill(''));
  assert.equal(await page.getAttribute('th[data-key="change"]', 'aria-sort'), 'descending');
  await page.locator('#filter').focus();
  const id = recorded('red').benchmarks.find((row) => row.blocking).id;
  await page.keyboard.type(id);
  const filtered = await changes();
  assert.ok(filtered.length > 0 && filtered.length < down.length);
  const again = await open(browser, page.url());
  assert.equal(await again.page.inputValue('#filter'), id);
  assert.equal(await again.page.locator('#rows tbody tr:visible').count(), filtered.length);
  assert.deepEqual(wrong, []);
  await close();
  await again.close();
});

test('hostile names do nothing and show as they are', async () => {
  const result = recorded('red');
  const names = [
    '<img src=x onerror=document.title="owned">',
    '</code></pre><script>document.title="owned"</script>',
    '"><svg onload=document.title="owned">',
    '</script><!-- <script>',
    "'-alert(1)-'",
    'javascript:alert(1)',
  ];
  const hostile = result.benchmarks.map((row, index) => ({
    ...row,
    id: `${names[index % names.length]}${index}`,
  }));
  const built = pageOf({ ...result, rules: [], benchmarks: hostile, notices: names }, 'hostile');
  const { page, wrong, close } = await open(browser, built.url);
  assert.deepEqual(wrong, []);
  assert.notEqual(await page.title(), 'owned');
  assert.equal(await page.locator('script').count(), 2);
  assert.equal(await page.locator('img, iframe, object, embed, link, base, form').count(), 0);
  const shown = await page.$$eval('#rows th code', (codes) => codes.map((code) => code.textContent));
  for (const row of hostile) {
    assert.ok(
      shown.some((name) => name.includes(row.id)),
      `${row.id} is not shown`,
    );
  }
  await close();
});

test('a thousand benchmarks open in under a second', async () => {
  const built = pageOf(enlarged(recorded('red'), recorded('green'), 1000), 'thousand');
  const took = [];
  // Other work on the machine lengthens single openings.
  while (took.length < 5 && !(Math.min(...took) < 1000)) {
    const { page, close } = await open(browser, built.url);
    took.push(await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd));
    assert.equal(await page.locator('#rows tbody tr').count(), 1000);
    await close();
  }
  console.log(`1,000 benchmarks: ${built.bytes} bytes, open after ${took.map(Math.round)} ms`);
  assert.ok(Math.min(...took) < 1000, `${took} ms`);
});

test('ten thousand stay below 5 MiB by omitting what needs no look, with a note', async () => {
  const built = pageOf(enlarged(recorded('red'), recorded('green'), 10_000), 'ten-thousand');
  assert.ok(built.bytes < 5 << 20, `${built.bytes} bytes`);
  const { page, close } = await open(browser, built.url);
  assert.match(await seen(page), /\d+ that need no look are not shown here/);
  await close();
});

// Averages over squares of 20 pixels: a font that differs by a pixel is not a difference, but a colour or a missing
// plot is.
async function squares(page, bytes) {
  const url = `data:image/png;base64,${bytes.toString('base64')}`;
  return page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const size = [Math.floor(image.width / 20), Math.floor(image.height / 20)];
    const canvas = new OffscreenCanvas(...size);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, ...size);
    return { size, values: [...context.getImageData(0, 0, ...size).data] };
  }, url);
}

// What the pictures were made with: with other fonts lines break elsewhere.
const fonts = (page) =>
  page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    return ['system-ui, sans-serif', 'ui-monospace, "DejaVu Sans Mono", monospace'].map((family) => {
      context.font = `16px ${family}`;
      return Math.round(context.measureText('The quick brown fox 0123456789').width);
    });
  });

for (const [look, options] of Object.entries(LOOKS)) {
  test(`the red page looks as it did, ${look}`, async (context) => {
    const { page, close } = await open(browser, example('red'), options);
    const widths = join(PICTURES, 'fonts.json');
    const here = JSON.stringify(await fonts(page));
    if (process.env.PICTURES === 'write') {
      mkdirSync(PICTURES, { recursive: true });
      writeFileSync(widths, `${here}\n`);
    }
    if (readFileSync(widths, 'utf8').trim() !== here) {
      await close();
      context.skip(`SKIPPED: other fonts here (${here}) than in the pictures`);
      return;
    }
    if (look === 'print') await page.emulateMedia({ media: 'print' });
    const now = await page.screenshot({ animations: 'disabled' });
    const stored = join(PICTURES, `${look}.png`);
    if (process.env.PICTURES === 'write') writeFileSync(stored, now);
    assert.ok(existsSync(stored), `no ${stored}; PICTURES=write makes it`);
    const empty = await browser.newPage();
    const [a, b] = [await squares(empty, now), await squares(empty, readFileSync(stored))];
    assert.deepEqual(a.size, b.size);
    const differences = a.values.map((value, index) => Math.abs(value - b.values[index]));
    const far = differences.filter((difference) => difference > 40).length / differences.length;
    console.log(`${look}: ${(far * 100).toFixed(2)} % of the squares differ`);
    assert.ok(far < 0.02, `${(far * 100).toFixed(1)} % of the squares differ`);
    await empty.close();
    await close();
  });
}

test('a flame graph is whole without scripts, and grows by a click, by Enter, and back by Escape', async () => {
  const result = recorded('red');
  const slower = (row) => row.blocking && row.metric === 'time';
  const { package: pkg, suite, id } = result.benchmarks.find(slower);
  const node = (name, parent, base, head) => ({ name, parent, instructions: { base, head } });
  const explanation = {
    ...{ package: pkg, suite, id },
    instructions: { base: 1000, head: 1200 },
    functions: [
      {
        ...{ name: 'skip_ws', file: 'src/parse.rs', line: 88, kind: 'changed' },
        ...{ instructions: { base: 200, head: 400 }, calls: { base: 10, head: 20 } },
        ...{ more_calls: 200, costlier_calls: 0, inlined: { base: true, head: true } },
      },
    ],
    others: { base: 800, head: 800 },
    flame: [
      node('one iteration', undefined, 1000, 1200),
      node('words', 0, 700, 900),
      node('skip_ws', 1, 200, 400),
      node('total', 0, 300, 300),
    ],
  };
  const built = pageOf({ ...result, explanations: [explanation] }, 'explained');
  const plain = await open(browser, built.url, { javaScriptEnabled: false });
  // What is far below the window has no text yet.
  await plain.page.locator('.flame').scrollIntoViewIfNeeded();
  assert.ok((await seen(plain.page)).includes('2.0 × the calls'));
  assert.equal(await plain.page.locator('.flame .bar').count(), 4);
  await plain.close();
  const { page, wrong, close } = await open(browser, built.url);
  const bar = (number) => page.locator(`.flame .bar[data-node="${number}"]`);
  const width = (number) => bar(number).locator('rect').getAttribute('width').then(Number);
  const before = await width(2);
  await bar(1).click();
  assert.ok((await width(2)) > before && (await width(1)) === 960);
  assert.equal(await bar(3).isVisible(), false);
  await page.keyboard.press('Escape');
  assert.ok(Math.abs((await width(2)) - before) < 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await width(2), 960);
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    found.violations.map(({ id }) => id),
    [],
  );
  assert.deepEqual(wrong, []);
  await close();
});
