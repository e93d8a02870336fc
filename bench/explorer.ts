/**
 * Measures the pages of a running service in Chromium: `npm run bench:explorer -- http://127.0.0.1:8080`. With the processor
 * slowed four times: until the first content, and from a click to the picture that follows it. Script is counted gzipped.
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';

const SLOWED = 4;
const ROUNDS = 5;

const { positionals } = parseArgs({ allowPositionals: true, args: process.argv.slice(2) });
const [base = 'http://127.0.0.1:8080', executablePath = '/usr/bin/chromium'] = positionals;
const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const flight = `/flights/JFK-LAX-DL-${date}?dep_time=18:30`;

/** Runs in the page, as text, for its types are not ours. */
const CLICKED = `async ({ selector, round }) => {
  const links = document.querySelectorAll(selector);
  const before = location.href;
  const from = performance.now();
  links[(3 * round) % links.length].dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  while (location.href === before) await new Promise((next) => setTimeout(next, 1));
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
  return performance.now() - from;
}`;

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const path of ['/', flight, '/status', ...positionals.slice(2)]) {
    const firsts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) firsts.push(await firstContent(path));
    console.log(`${path}: script ${await scriptBytes(path)} bytes, first content ${told(firsts)}`);
  }
  for (const [what, selector] of interactions()) {
    console.log(`${what}: ${told(await clicks(selector))}`);
  }
} finally {
  await browser.close();
}

/** What is clicked on the page of a flight; one after the other, so that each is a new question. */
function interactions(): [string, string][] {
  return [
    ['another hour', '#hours a:not([aria-current])'],
    ['another day', '[id^=month] a:not([aria-current])'],
    ['another airline', '#airlines a:not([aria-current])'],
  ];
}

async function slowPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  return page;
}

async function firstContent(path: string): Promise<number> {
  const page = await slowPage();
  await page.goto(base + path, { waitUntil: 'networkidle' });
  const ms = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  await page.context().close();
  return ms;
}

/** From each click to the frame that shows what follows, the answer of the service included. */
async function clicks(selector: string): Promise<number[]> {
  const page = await slowPage();
  await page.goto(base + flight, { waitUntil: 'networkidle' });
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    taken.push(await page.evaluate<number>(`(${CLICKED})(${JSON.stringify({ selector, round })})`));
  }
  await page.context().close();
  return taken;
}

async function scriptBytes(path: string): Promise<number> {
  const html = await (await fetch(base + path, { headers: { accept: 'text/html' } })).text();
  const addresses = [...html.matchAll(/src="([^"]+\.js)"/g)].map(([, address = '']) => address);
  const sizes = addresses.map(async (address) => {
    const answer = await fetch(base + address);
    return gzipSync(Buffer.from(await answer.arrayBuffer())).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function told(ms: number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  return `${Math.round(middle)} ms (${sorted.map(Math.round).join(', ')})`;
}
