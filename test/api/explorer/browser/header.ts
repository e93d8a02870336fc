import type { Page } from 'playwright-core';
import { findAccessibilityIssues } from '../../helpers/browser.ts';
import type { Case } from './world.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The header on a phone, where its links do not all fit. */
export const headerCases: Record<string, Case> = {
  'on a phone, the link of the current page is visible from the start, also without script': async (
    t,
    { open },
  ) => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open(t, '/status', { ...PHONE, javaScriptEnabled });
      t.true(await isCurrentVisible(page), `script: ${javaScriptEnabled}`);
    }
  },

  'the header scrolls to the link of a page that opens without a reload': async (t, { open }) => {
    const { page } = await open(t, '/', PHONE);
    t.is(await page.evaluate(`document.querySelector('.top .row').scrollLeft`), 0);
    await page.click('.foot a[href="/status"]');
    // The condition is a function. At the second try, the page's Content-Security-Policy would refuse a text.
    await page.waitForFunction(() => document.title.startsWith('Status'));
    t.true(await isCurrentVisible(page));
  },

  'no link of the header is too small for a thumb, although some are cut off': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/', { viewport: { width: 320, height: 700 } });
    for (const path of ['/', '/map', '/airlines', '/status']) {
      await page.click(`.top nav a[href="${path}"]`);
      await page.waitForSelector(`.top nav a[href="${path}"][aria-current]`);
      t.deepEqual(await findAccessibilityIssues(page), [], path);
    }
  },

  'an arrow shows that the header has more links, and disappears at the last one': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/', PHONE);
    t.not(await page.evaluate(ARROW_COLOUR), HIDDEN);
    await page.evaluate(`document.querySelector('.top .row').scrollLeft = 9999`);
    await page.waitForFunction((hidden) => {
      const row = document.querySelector('.top .row');
      return row !== null && getComputedStyle(row, '::after').color === hidden;
    }, HIDDEN);
    t.true(await page.evaluate(`${edgeOf('.themes')} <= innerWidth - 8`));
    await page.setViewportSize({ width: 1_280, height: 720 });
    t.is(await page.evaluate(`getComputedStyle(${ROW}, '::after').content`), 'none');
  },
};

const ROW = `document.querySelector('.top .row')`;
const ARROW_COLOUR = `getComputedStyle(${ROW}, '::after').color`;
const HIDDEN = 'rgba(0, 0, 0, 0)';
const edgeOf = (place: string) =>
  `document.querySelector('${place}').getBoundingClientRect().right`;

/** Returns whether neither the logo nor the arrow covers the link of the current page. */
async function isCurrentVisible(page: Page): Promise<boolean> {
  const box = await page.locator('.top [aria-current]').boundingBox();
  return box !== null && box.x >= 50 && box.x + box.width <= 390 - 24;
}
