import { spawnSync, execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import anyTest, { type ExecutionContext } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { SOME_KEY } from '../helpers/app.ts';
import { BROWSER, flaws, openBrowser, openPage } from '../helpers/browser.ts';
import { explorerDeps, PLACES } from '../helpers/explorer-world.ts';
import { anAddress } from '../helpers/served.ts';

const run = promisify(execFile);
const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

/** `make test` installs a browser; where it may not, these are skipped, and it has said so. */
const test = BROWSER === undefined ? anyTest.serial.skip : anyTest.serial;

let browser: Browser;
let base: string;
/** Seconds a visitor is told to wait; 0: answered. */
let waitS = 0;
const ends: (() => Promise<void>)[] = [];

anyTest.before(async () => {
  if (BROWSER === undefined) return;
  const teardown = (end: () => Promise<void>) => void ends.push(end);
  base = await anAddress({ teardown }, explorerDeps({ admit: async () => waitS }));
  browser = await openBrowser();
});
anyTest.after.always(async () => {
  await browser?.close();
  for (const end of ends) await end();
});

const open = (t: ExecutionContext, path: string, options: BrowserContextOptions = {}) =>
  openPage(t, browser, base + path, options);

const at = (page: Page) => decodeURIComponent(page.url().slice(base.length));
const scoreOn = (page: Page) => page.locator('.score b').innerText();
const dataAt = async (page: Page, address: string): Promise<FlightData> => {
  const [flight = '', query = ''] = address.replace('/flights/', '').split('?');
  const [origin, dest, airline, ...date] = flight.split('-');
  const source = `/explorer/flight?origin=${origin}&dest=${dest}&airline=${airline}&date=${date.join('-')}&${query}`;
  return (await page.request.get(base + source)).json() as Promise<FlightData>;
};

test('a stranger names a flight by cities and keys alone, and is answered at its own address', async (t) => {
  const { page, complaints } = await open(t, '/');
  await page.focus('[name=origin]');
  await page.keyboard.type('new y');
  await page.locator('#choices li').first().waitFor();
  t.is(await page.getAttribute('[name=origin]', 'aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  t.is(await page.getAttribute('[name=origin]', 'aria-activedescendant'), 'choice-0');
  await page.keyboard.press('Enter');
  t.is(await page.inputValue('[name=origin]'), 'JFK');
  await page.focus('[name=dest]');
  await page.keyboard.type('los');
  await page.locator('#choices li', { hasText: 'Los Angeles' }).click();
  t.is(await page.inputValue('[name=dest]'), 'LAX');
  await page.fill('[name=date]', '2026-03-20');
  await page.click('.primary');
  await page.locator('.score').waitFor();
  t.is(at(page), '/flights/JFK-LAX-AA-2026-03-20');
  const { score } = await dataAt(page, at(page));
  t.is(await scoreOn(page), String(score.score));
  t.is(await page.title(), `JFK–LAX AA 2026-03-20: ${score.score}, ${score.label} · Headwind`);
  // Found only by asking, as nobody flies there on record.
  await page.fill('[name=origin]', 'auck');
  await page.locator('#choices li', { hasText: 'Auckland' }).waitFor();
  await page.keyboard.press('Escape');
  t.true(await page.locator('#choices').isHidden());
  t.deepEqual(complaints, []);
});

test('one thing changes, and score, pictures, calls and address follow; back and forward too', async (t) => {
  const { page, complaints } = await open(t, FLIGHT);
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const first = await scoreOn(page);
  await page.locator('#airlines a', { hasText: 'Delta' }).click();
  const delta = '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30';
  await page.waitForURL(`**${delta}`);
  const { score, rivals } = await dataAt(page, delta);
  t.is(await scoreOn(page), String(score.score));
  t.not(String(score.score), first);
  t.is(await page.inputValue('[name=airline]'), 'DL');
  t.true((await page.locator('#call-0-curl').innerText()).includes("'airline=DL'"));
  t.is(
    await page.locator('#contributions tbody tr:last-child td').first().textContent(),
    String(score.score),
  );
  t.is(await page.locator('#airlines tbody tr').count(), rivals.length);
  await page.locator('#hours a').nth(17).click();
  await page.waitForURL('**?dep_time=17:00');
  await page.locator('[id^=month] a').nth(3).click();
  await page.waitForFunction(() => !location.href.includes('2026-03-20'));
  await page.fill('[name=date]', '2026-03-25');
  const asked = '/flights/JFK-LAX-DL-2026-03-25?dep_time=17:00';
  await page.waitForURL(`**${asked}`);
  // Asked for once more by the form, what is shown is no step.
  await page.locator('[name=date]').dispatchEvent('change');
  await page.waitForLoadState('networkidle');
  t.is(at(page), asked);
  for (let step = 0; step < 3; step++) await page.goBack();
  await page.waitForURL(`**${delta}`);
  await page.goBack();
  await page.waitForURL(`**${FLIGHT}`);
  t.is(await scoreOn(page), first);
  await page.goForward();
  t.is(await page.inputValue('[name=airline]'), 'DL');
  t.true(await page.evaluate(() => 'isSamePage' in globalThis), 'without a reload');
  // The other way round, which Delta does not fly on record.
  await page.click('[data-swap]');
  await page.waitForURL('**/flights/LAX-JFK-AA-*');
  t.deepEqual(complaints, []);
});

test('an address that is sent shows the same to whoever opens it, also without script', async (t) => {
  const { page } = await open(t, FLIGHT);
  const { page: bare } = await open(t, FLIGHT, { javaScriptEnabled: false });
  for (const place of ['.verdict', '#hours table', '#contributions table', '#basis']) {
    t.is(await bare.locator(place).textContent(), await page.locator(place).textContent(), place);
  }
  await bare.fill('[name=airline]', 'DL');
  await bare.click('.primary');
  t.is(at(bare), '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30');
});

test('every picture has its table with the figures of the API, and is taken along as a file', async (t) => {
  const { page, complaints } = await open(t, FLIGHT);
  const { score, months } = await dataAt(page, FLIGHT);
  const column = (id: string, of: number) =>
    page.locator(`#${id} tbody tr td:nth-of-type(${of})`).allTextContents();
  t.deepEqual(
    (await column('hours', 1)).map(Number),
    score.by_hour.map((hour) => hour.score),
  );
  t.deepEqual(
    (await column(`month-${months[0]!.month}`, 1)).map(Number),
    months[0]!.days.map((day) => day.score),
  );
  const shares = (await column('outlook', 2)).map((text) => Number.parseFloat(text) / 100);
  t.deepEqual(
    shares.map((share) => share.toFixed(4)),
    Object.values(score.outlook!).map((share) => share.toFixed(4)),
  );
  const points = (await column('contributions', 1))
    .slice(0, -1)
    .map((text) => Number(text.replace('−', '-')));
  t.true(Math.abs(points.reduce((sum, one) => sum + one, 0) - score.score) < 1e-9, 'it adds up');
  const saved = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[data-save=${kind}][data-of=hours]`),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const csv = await saved('csv');
  t.is(csv.name, 'headwind-hours.csv');
  t.is(String(csv.bytes).split('\r\n').length, 25);
  t.true(String(csv.bytes).startsWith('Departure,Score,Label,Share of its flights\r\n00:00,'));
  const svg = String((await saved('svg')).bytes);
  t.regex(svg, /^<svg [^>]*viewBox="0 0 384 200"/);
  t.false(svg.includes('style='));
  t.is((await saved('png')).bytes.subarray(1, 4).toString(), 'PNG');
  t.is(await page.locator('figure').count(), await page.locator('figure table').count());
  t.deepEqual(complaints, []);
});

test('what is shown as a call is a call: each runs as it is copied', async (t) => {
  const { page, context } = await open(t, FLIGHT);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('[data-copy=call-0-curl]');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  t.is(await page.locator('#call-0-curl').textContent(), copied);
  const folder = await tempDir(t);
  const client = (name: string) =>
    fileURLToPath(new URL(`../../../api/clients/${name}`, import.meta.url));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const clients = ['headwind.ts', 'headwind.py'];
  await Promise.all(clients.map((name) => copyFile(client(name), join(folder, name))));
  const env = { ...process.env, HEADWIND_KEY: SOME_KEY };
  const { score } = await dataAt(page, FLIGHT);
  const calls = await page.locator('.calls details').count();
  for (let call = 0; call < calls; call++) {
    const curl = (await page.locator(`#call-${call}-curl`).textContent()) ?? '';
    const { stdout } = await run('sh', ['-c', curl], { env, cwd: folder });
    t.true(/"(score|days|airlines)":/.test(stdout), stdout.slice(0, 80));
    if (call === 0) t.deepEqual(JSON.parse(stdout), score as unknown);
  }
  await writeFile(
    join(folder, 'call.ts'),
    (await page.locator('#call-0-typescript').textContent()) ?? '',
  );
  const typescript = await run(process.execPath, ['call.ts'], { env, cwd: folder });
  t.true(typescript.stdout.includes(`score: ${score.score},`));
  if (spawnSync('python3', ['--version']).status !== 0) return;
  const python = (await page.locator('#call-0-python').textContent()) ?? '';
  t.true(
    (await run('python3', ['-c', python], { env, cwd: folder })).stdout.includes(
      `'score': ${score.score},`,
    ),
  );
});

test('a call is found by any of its words and tried out, and its key is nowhere but in the request', async (t) => {
  const { page, context, complaints } = await open(t, '/docs');
  await page.fill('#find', 'delayed flights alone');
  const found = await page.locator('.endpoint:visible h3').allTextContents();
  t.true(found.includes('Stats') && !found.includes('Makes a key'), String(found));
  t.true((await page.locator('.fits').allTextContents()).some((row) => row.includes('avg_delay')));
  await page.fill('#find', 'zeppelin');
  t.is(await page.locator('#found').innerText(), 'Nothing here has “zeppelin”.');
  await page.fill('#find', '');
  await page.fill('#api-key', SOME_KEY);
  await page.fill('#score-airline', 'DL');
  await page.selectOption('#score-news', 'true');
  await page.click('#score .primary');
  await page.locator('#score-body').waitFor();
  const { origin, dest } = { origin: 'JFK', dest: 'LAX' };
  const asked = {
    origin,
    dest,
    airline: 'DL',
    date: '2026-03-20',
    news: 'true',
    api_key: SOME_KEY,
  };
  const answer = await page.request.get(`${base}/api/score?${new URLSearchParams(asked)}`);
  t.deepEqual(
    JSON.parse((await page.locator('#score-body').textContent()) ?? ''),
    await answer.json(),
  );
  t.regex(await page.locator('#score-outcome').innerText(), /^200 OK, .* calls left this month$/);
  t.true((await page.locator('#score-typescript').textContent())?.includes("airline: 'DL'"));
  await page.fill('#score-origin', 'ZZZ');
  await page.click('#score .primary');
  await page.locator('#score-outcome', { hasText: '404 Not Found' }).waitFor();
  t.is(at(page), '/docs');
  t.false((await page.content()).includes(SOME_KEY));
  t.is((await context.storageState()).origins.length, 0);
  await page.reload();
  t.is(await page.inputValue('#api-key'), '');
  t.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
});

test('without the network what was seen stays, and a new question says that one is offline', async (t) => {
  const { page, context } = await open(t, FLIGHT);
  await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
  await page.waitForURL('**/flights/JFK-LAX-B6-*');
  await context.setOffline(true);
  await page.goBack();
  await page.waitForURL(`**${FLIGHT}`);
  t.is(await page.inputValue('[name=airline]'), 'AA');
  await page.locator('#hours a').nth(12).click();
  await page.locator('#notice', { hasText: 'You are offline' }).waitFor();
  t.is(at(page), FLIGHT);
  t.is(await page.inputValue('[name=airline]'), 'AA');
  await context.setOffline(false);
  await page.locator('#hours a').nth(12).click();
  await page.waitForURL('**?dep_time=12:00');
  t.is(await page.locator('#notice').innerText(), '');
});

test('a slow answer, a refusal and a failure each say so, and the last question wins', async (t) => {
  const { page } = await open(t, FLIGHT);
  const held = Promise.withResolvers<void>();
  await page.route('**/explorer/flight?**airline=B6**', async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
  await page.locator('#app[aria-busy]').waitFor();
  await page.locator('#airlines a', { hasText: 'Delta' }).click();
  await page.waitForURL('**/flights/JFK-LAX-DL-*');
  held.resolve();
  t.is(await page.inputValue('[name=airline]'), 'DL');
  t.is(await page.locator('#app[aria-busy]').count(), 0);

  waitS = 23;
  await page.locator('#hours a').nth(3).click();
  await page.locator('#notice', { hasText: 'the next is answered in 23 seconds' }).waitFor();
  waitS = 0;
  t.is(await page.inputValue('[name=airline]'), 'DL');
  await page.route('**/explorer/flight?**', (route) =>
    route.fulfill({ status: 500, json: { error: 'internal_error', message: 'That failed.' } }),
  );
  await page.locator('#hours a').nth(4).click();
  await page.locator('#notice', { hasText: 'That failed.' }).waitFor();
  await page.unroute('**/explorer/flight?**');
  await page.fill('[name=airline]', '0X');
  await page.locator('[name=airline]').dispatchEvent('change');
  await page.locator('h1', { hasText: 'Nothing is known' }).waitFor();
  t.is(await page.getAttribute('[name=airline]', 'aria-invalid'), 'true');
});

test('what others wrote runs nowhere', async (t) => {
  const { page, complaints } = await open(t, FLIGHT);
  t.true(await page.locator('#news', { hasText: '<script>' }).isVisible());
  t.is(await page.locator('#news a').count(), 0);
  for (const path of [
    `/flights?origin=${encodeURIComponent('"><script>document.title="run"</script>')}&dest=LAX`,
    `/flights/JFK-LAX-AA-2026-03-20?dep_time=${encodeURIComponent('<img src=x onerror=run>')}`,
    `/${encodeURIComponent('</script><script>document.title="run"</script>')}`,
  ]) {
    await page.goto(base + path);
    t.regex(await page.title(), /^Error 4/, path);
    t.is(await page.locator('img, iframe').count(), 0);
  }
  t.deepEqual(
    complaints.filter((one) => !one.includes('status of 4')),
    [],
  );
});

test('every page is without a flaw to axe, in every choice of colours, and fits a phone and a wall', async (t) => {
  const { page } = await open(t, '/');
  for (const path of [
    '/',
    FLIGHT,
    '/flights/AKL-JFK-NZ-2026-03-20',
    ...PLACES,
    '/docs',
    '/nowhere',
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(base + path);
      t.deepEqual(await flaws(page), [], `${path} ${colorScheme}`);
    }
    for (const width of [320, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      t.is(excess, 0, `${path} ${width}`);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  }
  await page.goto(base + FLIGHT);
  await page.click('[data-theme-choice=contrast]');
  t.deepEqual(await flaws(page), []);
  await page.reload();
  t.is(await page.getAttribute('html', 'data-theme'), 'contrast');
});
