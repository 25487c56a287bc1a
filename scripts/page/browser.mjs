// A browser without a network, and pages made by the built benchgate from changed copies of recorded results.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { BENCHGATE, CHROMIUM, PAGE_MODULES } = process.env;
const require = createRequire(`${PAGE_MODULES}/node_modules/`);
const { chromium } = require('playwright-core');

export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'benchgate-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const example = (name) => pathToFileURL(join(ROOT, `docs/examples/${name}.html`)).href;
const RECORDED = { red: 'canaries', green: 'unchanged', other: 'crc32fast' };
export const recorded = (name) =>
  JSON.parse(readFileSync(join(ROOT, `docs/evidence/recorded/${RECORDED[name]}.json`), 'utf8'));

/** The page of a result. */
export function pageOf(result, name) {
  const [from, to] = [join(folder, `${name}.json`), join(folder, `${name}.html`)];
  writeFileSync(from, JSON.stringify(result));
  const options = { maxBuffer: 1 << 26 };
  writeFileSync(to, execFileSync(BENCHGATE, ['report', from, '--format', 'html'], options));
  return { url: pathToFileURL(to).href, bytes: readFileSync(to).length };
}

/** A result with this number of benchmarks: what was unchanged in another is repeated under other names. */
export function enlarged(result, other, number) {
  const quiet = other.benchmarks.filter((row) => row.finding === 'unchanged');
  const benchmarks = [...result.benchmarks];
  for (let index = 0; benchmarks.length < number; index += 1) {
    for (const row of quiet) benchmarks.push({ ...row, id: `${row.id}/${index}` });
  }
  return { ...result, rules: [], benchmarks: benchmarks.slice(0, number) };
}

// Without them Chromium looks for updates and a sandbox that containers do not have.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });

/** Opens an address, and keeps everything that should not happen. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 1400 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('request', (request) => {
    // A blob is what the page itself made, to be saved.
    if (request.url().split('#')[0] !== url && !request.url().startsWith('blob:'))
      wrong.push(`request ${request.url()}`);
  });
  page.on('console', (message) => wrong.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error ${error}`));
  page.on('dialog', (dialog) => wrong.push(`dialog ${dialog.message()}`) && dialog.dismiss());
  await page.goto(url);
  return { page, wrong, close: () => context.close() };
}
