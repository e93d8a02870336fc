/**
 * Measures the pages of a running service in Chromium: `npm run bench:explorer -- http://127.0.0.1:8080`. With the processor
 * slowed four times: until the first content; and of each thing that is pressed, the time to the next frame as browsers
 * measure it (Event Timing, of which Interaction to Next Paint is made), and to the frame that shows what was asked for, the
 * answer of the service included. Script is counted gzipped. The load of the machine stands beside, as it changes all of them.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { median } from './report.ts';

const SLOWED = 4;
const ROUNDS = 7;

const { positionals } = parseArgs({ allowPositionals: true, args: process.argv.slice(2) });
const [base = 'http://127.0.0.1:8080', executablePath = '/usr/bin/chromium'] = positionals;
const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const flight = `/flights/JFK-LAX-DL-${date}?dep_time=18:30`;

type Interaction = { what: string; path: string; press: string; shown: string };

/** What is pressed, and the place that shows that it was followed. */
const INTERACTIONS: Interaction[] = [
  { what: 'another hour', path: flight, press: '#hours a:not([aria-current])', shown: 'main' },
  { what: 'another day', path: flight, press: '[id^=month] a:not([aria-current])', shown: 'h1' },
  { what: 'another airline', path: flight, press: '#airlines a:not([aria-current])', shown: 'h1' },
  { what: 'from and to swapped', path: flight, press: '[data-swap]', shown: 'h1' },
  { what: 'a call unfolded', path: flight, press: '.calls summary', shown: '.calls' },
  { what: 'a table unfolded', path: flight, press: '#hours summary', shown: '#hours' },
  { what: 'other colours', path: flight, press: '[data-theme-choice]', shown: 'html' },
  { what: 'an hour of the map', path: '/map?hour=8', press: '#day a', shown: '#map' },
  { what: 'the map played on', path: '/map?hour=8', press: '[data-play]', shown: '#map' },
  { what: 'the table of the map', path: '/map', press: '#map summary', shown: '#map' },
  { what: 'another page', path: '/', press: '.top nav a:nth-child(-n+6)', shown: 'main' },
];

/** Runs in each page before its own script. */
const WATCHED = `
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
    console.log(`${path}: script ${await scriptBytes(path)} bytes, first content ${told(firsts)}`);
  }
  for (const interaction of INTERACTIONS) {
    const pressed = await presses(interaction);
    const frames = told(pressed.map(({ frameMs }) => frameMs));
    const shown = told(pressed.map(({ shownMs }) => shownMs));
    console.log(`${interaction.what}: next frame ${frames}, shown ${shown}`);
  }
  console.log(`load average ${loadavg().map((load) => load.toFixed(1))}`);
} finally {
  await browser.close();
}

async function slowPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    // Each page is a visitor, where the service believes us.
    extraHTTPHeaders: { 'X-Forwarded-For': `10.9.${Math.floor(Math.random() * 250)}.7` },
  });
  const page = await context.newPage();
  await page.addInitScript(WATCHED);
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

type Pressed = { frameMs: number; shownMs: number };

/** Pressed one after the other with the mouse, each a new question. */
async function presses({ path, press, shown }: Interaction): Promise<Pressed[]> {
  const page = await slowPage();
  await page.goto(base + path, { waitUntil: 'networkidle' });
  const taken: Pressed[] = [];
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
    taken.push(await page.evaluate<Pressed>('watched()'));
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
  const known = ms.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  return `${Math.round(median(known))} ms (${known.map(Math.round).join(', ')})`;
}
