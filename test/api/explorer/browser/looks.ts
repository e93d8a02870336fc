import type { Page } from 'playwright-core';
import { findAccessibilityIssues } from '../../helpers/browser.ts';
import { PLACES } from '../../helpers/explorer-world.ts';
import { FLIGHT, waitForPictures, tableOf, type Case } from './world.ts';

/** Pages without a record, without flights, or with an error. */
const STATES = [
  '/flights/AKL-JFK-NZ-2026-03-20',
  '/flights/AKL-JFK-NZ-2026-03-20/alternatives',
  '/compare?flights=AKL-JFK-NZ-2026-03-20,JFK-LAX-AA-2026-03-20',
  '/airports/AKL/today',
  ...['/compare', '/compare?origin1=JFK&dest1=qqqqxx'],
  ...['/trips', '/trips?legs=JFK-LAX-AA-2026-03-20T08:00', '/trips?origin1=JFK&dest1=JFK'],
  ...['/nowhere', '/flights?origin=qqqqxx&dest=LAX', '/coverage', '/record'],
  '/map?region=us&hour=8',
];

/** The appearance of pages for different people and devices. */
export const appearanceCases: Record<string, Case> = {
  'axe finds no flaw on any page in any colour scheme, and every page fits a phone and a wall screen':
    async (t, { open, base }) => {
      const { page } = await open(t, '/');
      for (const path of ['/', FLIGHT, ...STATES, ...PLACES]) {
        await page.goto(base + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          t.deepEqual(await findAccessibilityIssues(page), [], `${path} ${colorScheme}`);
        }
        await page.click('[data-theme-choice=contrast]');
        t.deepEqual(await findAccessibilityIssues(page), [], `${path} contrast`);
        await page.click('[data-theme-choice=contrast]');
        for (const width of [320, 2_560]) {
          await page.setViewportSize({ width, height: 900 });
          const excess = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          t.is(excess, 0, `${path} ${width}`);
        }
        await page.setViewportSize({ width: 1_280, height: 900 });
      }
      // The widget has neither navigation nor a choice of colours.
      await page.goto(`${base}/embed${FLIGHT}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        t.deepEqual(await findAccessibilityIssues(page), [], `widget ${colorScheme}`);
      }
      await page.goto(base + FLIGHT);
      await page.click('[data-theme-choice=contrast]');
      await page.reload();
      t.is(await page.getAttribute('html', 'data-theme'), 'contrast');
    },

  'axe finds no flaw in the reference of the API, on a screen and on a phone': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/docs');
    for (const width of [1_280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      t.deepEqual(await findAccessibilityIssues(page), [], String(width));
    }
  },

  'the answer, its interval, its comparison, the age of its data and a better option are on the first screen of a laptop':
    async (t, { open }) => {
      const address = '/flights/JFK-LAX-B6-2026-03-20?dep_time=17:00';
      const { page } = await open(t, address, { viewport: { width: 1_280, height: 720 } });
      for (const place of ['.chance', '.odds', '.recency', '.better li']) {
        const box = await page.locator(place).first().boundingBox();
        t.true(box !== null && box.y + box.height <= 720, `${place} ${box?.y}`);
      }
    },

  'small print and its links are readable in the dark box of a flight without a record': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/flights/AKL-JFK-NZ-2026-03-20');
    // Adds the note about other airports of the same cities, because the small store has no such airports.
    await page.evaluate(addParagraph('note', '.verdict'));
    t.deepEqual(await findAccessibilityIssues(page), []);
  },

  'on a phone, the score of a board and its band are on one line': async (t, { open }) => {
    const { page } = await open(t, '/', { viewport: { width: 390, height: 844 } });
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.board .chip small')].map((one) => one.getBoundingClientRect().height)`,
    );
    t.true(heights.length > 0);
    t.true(Math.max(...heights) < 30, heights.join(', '));
  },

  'each row of the table beside a chart is at the height of its row of the chart': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/airlines');
    for (const width of [1_280, 1_920, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      const offsets = await page.evaluate<number[]>(ROW_OFFSETS);
      t.true(offsets.length > 0, String(width));
      t.true(Math.max(...offsets.map(Math.abs)) <= 3, `${width}: ${offsets.join(', ')}`);
    }
  },

  'on paper nothing is cut off, buttons are hidden, and the address is printed': async (
    t,
    { open, base },
  ) => {
    // The printable width of A4.
    const { page } = await open(t, '/', { viewport: { width: 718, height: 1_000 } });
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/', FLIGHT, ...PLACES]) {
      await page.goto(base + path);
      t.deepEqual(await page.evaluate(OVERFLOWING_ELEMENTS), [], path);
      t.is(await page.locator('button:visible, nav:visible, .skip:visible').count(), 0, path);
      t.is(await page.locator('.foot .address').innerText(), base + path);
    }
    // A board without live inputs warns in black letters on white.
    await page.evaluate(addParagraph('warning', 'main'));
    t.is(await styleOf(page, '.warning', 'color'), 'rgb(0, 0, 0)');
    t.is(await styleOf(page, '.warning', 'background-color'), 'rgba(0, 0, 0, 0)');
    await page.goto(base + FLIGHT);
    for (const id of ['hours', 'contributions', 'airlines', 'outlook', 'weather', 'basis']) {
      t.true(await page.locator(`#${id}`).isVisible(), id);
    }
  },

  'with forced colours everything stays readable, and with reduced motion nothing moves': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, FLIGHT);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    // Shapes keep their colours. Text and boxes take the system's colours, in pictures too.
    const risk = '#hours rect[class*=risk]';
    t.is(await styleOf(page, risk, 'forced-color-adjust'), 'none');
    const textColor = await styleOf(page, '.odds', 'color');
    t.not(textColor, await styleOf(page, '.verdict', 'background-color'));
    for (const place of ['.ruler .tick', '#hours .tick', '#contributions .name']) {
      t.is(await styleOf(page, place, 'fill'), textColor, place);
    }
    t.not(await styleOf(page, '.verdict', 'border-top-style'), 'none');
    t.is(await styleOf(page, '#hours rect', 'transition-duration'), '0s');
    await page.goto('/airports/JFK/today');
    // It is ten o'clock. Past hours differ from later ones by their border too.
    t.is(await styleOf(page, '.hours-today li:not(.past)', 'forced-color-adjust'), 'none');
    t.is(await styleOf(page, '.hours-today li.past', 'border-top-style'), 'dashed');
    t.true((await page.locator('.hours-today').innerText()).includes('with a dashed border'));
    await page.goto('/map?hour=8');
    await page.click('[data-play]');
    await page.waitForURL('**/map?hour=9');
    t.is(await page.getAttribute('[data-play]', 'aria-label'), 'Play the hours of the day');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(FLIGHT);
    t.not(await styleOf(page, '#hours rect', 'transition-duration'), '0s');
  },

  'playing the hours of the map sends no request, and a second press stops it': async (
    t,
    { open },
  ) => {
    const { page, complaints } = await open(t, '/map?hour=8', { reducedMotion: 'no-preference' });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.click('[data-play]');
    await page.waitForURL('**/map?hour=10');
    await page.click('[data-play]');
    t.is(await page.getAttribute('[data-play]', 'aria-label'), 'Play the hours of the day');
    await waitForPictures(page);
    const shown = await page.locator('#map h3').innerText();
    t.is(shown, `Leaving at ${await page.locator('.slide output').innerText()}`);
    t.deepEqual(requests, []);
    const rows = (await tableOf(page, 'map')).locator('tbody tr');
    t.is(await rows.count(), 2);
    t.deepEqual(complaints, []);
  },
};

/** Returns a script that adds a paragraph with a link at this place of the page. */
const addParagraph = (className: string, place: string) => `(() => {
  const [text, link] = [document.createElement('p'), document.createElement('a')];
  Object.assign(text, { className: '${className}', textContent: 'Other airports: ' });
  Object.assign(link, { href: '/', textContent: 'JFK–SFO' });
  text.append(link);
  document.querySelector('${place}').append(text);
})()`;

/** Lists elements that extend beyond the paper, by tag and class. Runs in the page. */
const OVERFLOWING_ELEMENTS = `[...document.querySelectorAll('main *, header *, footer *')]
  .filter((one) => one.checkVisibility() && one.closest('.aside') === null)
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1 || (one.matches('pre, table, p, dl') && one.scrollWidth > one.clientWidth + 1))
  .map((one) => one.tagName + '.' + one.getAttribute('class'))`;

/** Lists the distances between the middle of each row of a chart and of the table beside it, in pixels. Runs in the page. */
const ROW_OFFSETS = `(() => {
  const middle = (one) => one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2;
  const alone = document.querySelector('.picture.alone');
  const rows = [...alone.querySelectorAll('.beside tbody tr')];
  return [...alone.querySelectorAll('.drawing a .reach')].map((one, at) => middle(one) - middle(rows[at]));
})()`;

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
