/**
 * `npm run bench:explorer -- http://127.0.0.1:8080` measures the pages of a running service in Chromium, with the
 * processor slowed four times. Measures:
 * - the time to the first content,
 * - for each action, the time to the next frame (by Event Timing, the basis of Interaction to Next Paint),
 * - for each action, the time to the frame with the result, including the request to the service,
 * - the size of scripts, gzipped.
 * Also prints the machine's load, because it changes all figures.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { BROWSERS } from '../jobs/cli/setup.ts';
import { median } from './report.ts';
import { findFirstProgram } from './stage/find-program.ts';

const SLOWED = 4;
const ROUNDS = 7;

const { positionals } = parseArgs({ allowPositionals: true, args: process.argv.slice(2) });
const [base = 'http://127.0.0.1:8080', executablePath = findFirstProgram(BROWSERS)] = positionals;
if (executablePath === undefined) {
  throw new Error(`no browser is installed: apt-get install ${BROWSERS[0]}`);
}
const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const flight = `/flights/JFK-LAX-DL-${date}?dep_time=18:30`;

type Interaction = { name: string; path: string; press: string; shown: string };

/** Elements to press, and the places where the results of the presses appear. */
const INTERACTIONS: Interaction[] = [
  { name: 'another hour', path: flight, press: '#hours a:not([aria-current])', shown: 'main' },
  { name: 'another day', path: flight, press: '[id^=month] a:not([aria-current])', shown: 'h1' },
  { name: 'another airline', path: flight, press: '#airlines a:not([aria-current])', shown: 'h1' },
  { name: 'swapping from and to', path: flight, press: '[data-swap]', shown: 'h1' },
  { name: 'unfolding a call', path: flight, press: '.calls summary', shown: '.calls' },
  { name: 'unfolding a table', path: flight, press: '#hours summary', shown: '#hours' },
  { name: 'another colour scheme', path: flight, press: '[data-theme-choice]', shown: 'html' },
  { name: 'an hour of the map', path: '/map?hour=8', press: '#day a', shown: '#map' },
  { name: 'playing the map', path: '/map?hour=8', press: '[data-play]', shown: '#map' },
  { name: 'the table of the map', path: '/map', press: '#map summary', shown: '#map' },
  {
    name: 'another language of the code',
    path: '/docs',
    press: '[data-language-choice=typescript], [data-language-choice=python]',
    shown: 'html',
  },
  { name: 'another page', path: '/', press: '.top nav a:nth-child(-n+6)', shown: 'main' },
];

/** A script that runs in each page before its own script. */
const WATCH_SCRIPT = `
  let frameMs = 0, shownMs = NaN, pressedAt = NaN, watcher;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.interactionId) frameMs = Math.max(frameMs, entry.duration);
    }
  }).observe({ type: 'event', durationThreshold: 16 });
  addEventListener('click', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  globalThis.watch = (place) => {
    watcher?.disconnect();
    [frameMs, shownMs, pressedAt] = [0, NaN, NaN];
    watcher = new MutationObserver(() => {
      if (Number.isNaN(pressedAt) || !Number.isNaN(shownMs)) return;
      shownMs = 0;
      requestAnimationFrame(() => setTimeout(() => (shownMs = performance.now() - pressedAt)));
    });
    const watched = { subtree: true, childList: true, attributes: true, characterData: true };
    watcher.observe(document.querySelector(place), watched);
  };
  globalThis.watched = () => ({ frameMs, shownMs });
`;

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  console.log(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  for (const path of ['/', flight, '/map', '/airports/ORD', '/status', ...positionals.slice(2)]) {
    const firsts: number[] = [];
    for (let round = 0; round < 5; round++) firsts.push(await firstContent(path));
    console.log(
      `${path}: script ${await scriptBytes(path)} bytes, first content ${formatTimes(firsts)}`,
    );
  }
  for (const interaction of INTERACTIONS) {
    const pressed = await measurePresses(interaction);
    const frames = formatTimes(pressed.map(({ frameMs }) => frameMs));
    const shown = formatTimes(pressed.map(({ shownMs }) => shownMs));
    console.log(`${interaction.name}: next frame ${frames}, result shown ${shown}`);
  }
  console.log(`load average ${loadavg().map((load) => load.toFixed(1))}`);
} finally {
  await browser.close();
}

async function slowPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    // Sends a different address with each page. A service that trusts this header then treats each page as a different
    // visitor.
    extraHTTPHeaders: { 'X-Forwarded-For': `10.9.${Math.floor(Math.random() * 250)}.7` },
  });
  const page = await context.newPage();
  await page.addInitScript(WATCH_SCRIPT);
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

type PressTimes = { frameMs: number; shownMs: number };

/** Presses matching elements one after the other with the mouse and measures each press. */
async function measurePresses({ path, press, shown }: Interaction): Promise<PressTimes[]> {
  const page = await slowPage();
  await page.goto(base + path, { waitUntil: 'networkidle' });
  const times: PressTimes[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const places = page.locator(press);
    await places.first().waitFor({ state: 'attached' });
    const place = places.nth((3 * round) % (await places.count()));
    await place.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    await page.evaluate(`watch(${JSON.stringify(shown)})`);
    const box = await place.boundingBox();
    if (!box) continue;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 3);
    await page.waitForTimeout(700);
    times.push(await page.evaluate<PressTimes>('watched()'));
  }
  await page.context().close();
  return times;
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

function formatTimes(ms: number[]): string {
  const measured = ms.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  return `${Math.round(median(measured))} ms (${measured.map(Math.round).join(', ')})`;
}
