import type { Page } from 'playwright-core';
import { flaws } from '../../helpers/browser.ts';
import { PLACES } from '../../helpers/explorer-world.ts';
import { FLIGHT, settled, tableOf, type Case } from './world.ts';

/** How pages look, to whom and on what. */
export const looks: Record<string, Case> = {
  'every page is without a flaw to axe, in every choice of colours, and fits a phone and a wall':
    async (t, { open, base }) => {
      const { page } = await open(t, '/');
      for (const path of ['/', FLIGHT, '/flights/AKL-JFK-NZ-2026-03-20', ...PLACES, '/nowhere']) {
        await page.goto(base + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
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
    },

  'on paper nothing is cut off, what is pressed is left out, and the address is there': async (
    t,
    { open, base },
  ) => {
    // The width of A4 within its margins.
    const { page } = await open(t, '/', { viewport: { width: 718, height: 1_000 } });
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/', FLIGHT, ...PLACES]) {
      await page.goto(base + path);
      t.deepEqual(await page.evaluate(BEYOND_THE_EDGE), [], path);
      t.is(await page.locator('button:visible, nav:visible, .skip:visible').count(), 0, path);
      t.is(await page.locator('.foot .address').innerText(), base + path);
    }
    await page.goto(base + FLIGHT);
    for (const id of ['hours', 'contributions', 'airlines', 'outlook', 'weather', 'basis']) {
      t.true(await page.locator(`#${id}`).isVisible(), id);
    }
  },

  'in colours of the system everything can be told, and who wants no motion gets none': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, FLIGHT);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    // Shapes keep their colours; words and boxes take those of the system, in pictures too.
    const risk = '#hours rect[class*=risk]';
    t.is(await styleOf(page, risk, 'forced-color-adjust'), 'none');
    const words = await styleOf(page, '.odds', 'color');
    t.not(words, await styleOf(page, '.verdict', 'background-color'));
    for (const place of ['.ruler .tick', '#hours .tick', '#contributions .name']) {
      t.is(await styleOf(page, place, 'fill'), words, place);
    }
    t.not(await styleOf(page, '.verdict', 'border-top-style'), 'none');
    t.is(await styleOf(page, '#hours rect', 'transition-duration'), '0s');
    await page.goto('/map?hour=8');
    await page.click('[data-play]');
    await page.waitForURL('**/map?hour=9');
    t.is(await page.getAttribute('[data-play]', 'aria-label'), 'Play the hours of the day');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(FLIGHT);
    t.not(await styleOf(page, '#hours rect', 'transition-duration'), '0s');
  },

  'the hours of the map are played without a question, and stop when pressed': async (
    t,
    { open },
  ) => {
    const { page, complaints } = await open(t, '/map?hour=8', { reducedMotion: 'no-preference' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.click('[data-play]');
    await page.waitForURL('**/map?hour=10');
    await page.click('[data-play]');
    t.is(await page.getAttribute('[data-play]', 'aria-label'), 'Play the hours of the day');
    await settled(page);
    const shown = await page.locator('#map h3').innerText();
    t.is(shown, `Leaving at ${await page.locator('.slide output').innerText()}`);
    t.deepEqual(asked, []);
    const rows = (await tableOf(page, 'map')).locator('tbody tr');
    t.is(await rows.count(), 2);
    t.deepEqual(complaints, []);
  },
};

/** What reaches beyond the paper, by its class; runs in the page. */
const BEYOND_THE_EDGE = `[...document.querySelectorAll('main *, header *, footer *')]
  .filter((one) => one.checkVisibility() && one.closest('.aside') === null)
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1 || (one.matches('pre, table, p, dl') && one.scrollWidth > one.clientWidth + 1))
  .map((one) => one.tagName + '.' + one.getAttribute('class'))`;

const styleOf = (page: Page, place: string, name: string) =>
  page
    .locator(place)
    .first()
    .evaluate(
      (one, name) => (globalThis as unknown as Styles).getComputedStyle(one).getPropertyValue(name),
      name,
    );

type Styles = {
  getComputedStyle: (one: unknown) => { getPropertyValue: (name: string) => string };
};
