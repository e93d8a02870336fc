import { readFile } from 'node:fs/promises';
import { FLIGHT, type Case } from './world.ts';
import { OUTCOMES } from '../../../../api/explorer/views/flight/figures.ts';

/** Returns by how many pixels the widest text of a picture extends beyond its right edge. Runs in the page. */
const WIDEST_TEXT = `(() => {
  const edge = document.querySelector('svg').getBoundingClientRect().right;
  return Math.max(...[...document.querySelectorAll('svg text')].map((one) => one.getBoundingClientRect().right - edge));
})()`;

/** Exporting the content of a page: as figures, files and calls. */
export const exportCases: Record<string, Case> = {
  'every picture has a table with the figures of the API, and can be saved as a file': async (
    t,
    { open, dataAt },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    const { score, months } = await dataAt(page, FLIGHT);
    const column = (id: string, index: number) =>
      page.locator(`#${id} tbody tr td:nth-of-type(${index})`).allTextContents();
    t.deepEqual(
      (await column('hours', 1)).map(Number),
      score.by_hour.map((hour) => hour.score),
    );
    t.deepEqual(
      // A past day has no number in its cell of the table. In the answer, its score is null.
      (await column(`month-${months[0]!.month}`, 1)).map((text) =>
        /^\d+$/.test(text) ? Number(text) : null,
      ),
      months[0]!.days.map((day) => day.score),
    );
    const shares = (await column('outlook', 2)).map((text) => Number.parseFloat(text) / 100);
    t.deepEqual(
      shares.map((share) => share.toFixed(4)),
      OUTCOMES.map(({ key }) => score.outlook![key].toFixed(4)),
    );
    const points = (await column('contributions', 1))
      .slice(0, -1)
      .map((text) => Number(text.replace('−', '-')));
    t.true(
      Math.abs(points.reduce((sum, one) => sum + one, 0) - score.score) < 1e-9,
      'the points add up to the score',
    );
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
    t.true(String(csv.bytes).startsWith('Departure,Score,Label,Share of flights\r\n00:00,'));
    const svg = String((await saved('svg')).bytes);
    t.regex(svg, /^<svg [^>]*viewBox="0 0 408 \d+"/);
    t.false(svg.includes('style='));
    // A saved picture may have no links.
    t.false(svg.includes('Choose'));
    // The file contains all that is needed to read it elsewhere.
    for (const text of [
      'JFK–LAX AA 2026-03-20',
      'By departure hour',
      'Colours: score',
      'Very High',
      'Source: Headwind',
      'B612',
      // The range leaves out the parentheses, because they look like square brackets in this typeface.
      'unicode-range:U+0-27,U+2A-10FFFF',
      'data:font/woff2;base64,',
    ]) {
      t.true(svg.includes(text), text);
    }
    const [outlook] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[data-save=svg][data-of=outlook]'),
    ]);
    const marks = await readFile(await outlook.path(), 'utf8');
    for (const { name } of OUTCOMES) t.true(marks.includes(name), name);
    t.is((await saved('png')).bytes.subarray(1, 4).toString(), 'PNG');
    t.is(await page.locator('figure').count(), await page.locator('figure table').count());
    t.deepEqual(complaints, []);
  },
  'the saved map has the outlines of its names, its legend, and no link for another screen': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/map?hour=8');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[data-save=svg][data-of=map]'),
    ]);
    const svg = await readFile(await download.path(), 'utf8');
    t.true(svg.includes('paint-order="stroke"'));
    t.true(svg.includes('Colours: share of flights late or cancelled'));
    t.true(svg.includes('wide-map'));
    t.false(svg.includes('small-map'));
  },
  'no text of a saved picture is cut off, not even the address of a trip': async (t, { open }) => {
    const legs = ['JFK-LAX-AA-2026-03-20T08:00-11:15', 'LAX-JFK-AA-2026-03-20T13:00'];
    const address = `/trips?legs=${legs.join(',')}&tickets=separate&mct=100`;
    const { page } = await open(t, address);
    const drawn = await page.context().newPage();
    const assertNoExcess = async (id: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`[data-save=svg][data-of="${id}"]`),
      ]);
      await drawn.setContent(await readFile(await download.path(), 'utf8'));
      const excess = await drawn.evaluate<number>(WIDEST_TEXT);
      t.true(excess <= 0, `${id}: ${excess} pixels`);
    };
    await assertNoExcess('arrival');
    const lines = await drawn.locator('svg > g:last-of-type text').allTextContents();
    t.true(lines.join('').includes(decodeURIComponent(new URL(page.url()).search)));
    // A calendar is narrower than its legend.
    await page.goto(new URL(FLIGHT, page.url()).href);
    await assertNoExcess('month-2026-03');
  },
  'the links of the map are wide enough on every screen, busiest airport first, and it can be zoomed':
    async (t, { open, at }) => {
      for (const width of [320, 390, 1_280, 2_560]) {
        const { page } = await open(t, '/map?hour=8', { viewport: { width, height: 900 } });
        const links = page.locator('#map .targets a:visible');
        t.true((await links.count()) > 0);
        for (const link of await links.all()) {
          const box = await link.locator('.reach').boundingBox();
          const least = width < 768 ? 28 : 24;
          t.true(box!.width >= least && box!.height >= least, `${width}: ${box!.width}`);
        }
        t.regex((await links.first().textContent()) ?? '', /New York JFK/);
        // On phones, each dot has an edge in its own colour. The edge enlarges the dot.
        const edges = await page.evaluate<number[]>(DOT_EDGES);
        t.is(Math.min(...edges) >= 2, width < 768, `${width}: ${edges.join(', ')}`);
        for (const control of await page.locator('.zoom a').all()) {
          t.true((await control.boundingBox())!.width >= 24);
        }
        await page.click('[aria-label="Zoom in"]');
        await page.waitForURL('**zoom=2**');
        await page.click('[aria-label="Move right"]');
        await page.click('[aria-label="Whole map"]');
        await page.waitForFunction(() => !location.search.includes('zoom'));
        t.is(at(page), '/map?hour=8');
      }
    },
  'the copy button copies a call exactly as shown': async (t, { open }) => {
    const { page, context } = await open(t, FLIGHT);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.calls summary').first().click();
    await page.click('[data-copy=call-0-curl]');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    t.is(await page.locator('#call-0-curl').textContent(), copied);
  },
};

/**
 * Script that lists the width of each dot's edge, in pixels. The width is 0 if the edge and its dot differ in colour.
 */
const DOT_EDGES = `[...document.querySelectorAll('#map .airports path:not(.quiet, .all-day)')].map((dot) => {
  const { fill, stroke, strokeWidth } = getComputedStyle(dot);
  return fill === stroke ? parseFloat(strokeWidth) * dot.getScreenCTM().a : 0;
})`;
