import { findAccessibilityIssues } from '../../helpers/browser.ts';
import type { Case } from './world.ts';

/** The forms with several flights. */
export const rowCases: Record<string, Case> = {
  'a form with several flights suggests places in each row, and Enter sends all rows': async (
    t,
    { open, at },
  ) => {
    const { page, complaints } = await open(t, '/compare');
    const enter = async (name: string, text: string) => {
      await page.locator(`[name=${name}]`).focus();
      await page.keyboard.type(text, { delay: 20 });
      await page.locator('#choices li[aria-selected=true]').waitFor();
      t.deepEqual(await findAccessibilityIssues(page), [], name);
      await page.keyboard.press('Enter');
    };
    await enter('origin1', 'kennedy');
    t.is(await page.inputValue('[name=origin1]'), 'JFK');
    t.is(await page.locator('#hint-origin1').innerText(), 'New York, NY');
    await enter('dest1', 'los ang');
    await enter('airline1', 'delta');
    await enter('origin2', 'LAX');
    await enter('dest2', 'jfk');
    await page.fill('[name=date1]', '2026-03-20');
    await page.fill('[name=date2]', '2026-03-22');
    await page.locator('[name=date2]').press('Enter');
    await page.waitForURL('**/compare?flights=**');
    t.is(at(page), '/compare?flights=JFK-LAX-DL-2026-03-20,LAX-JFK-AA-2026-03-22');
    await page.locator('.compared thead a', { hasText: 'Remove' }).first().click();
    await page.waitForURL('**/compare?flights=LAX-JFK-AA-2026-03-22');
    t.is(await page.inputValue('[name=origin1]'), 'LAX');
    t.is(await page.inputValue('[name=origin2]'), '');
    t.deepEqual(complaints, []);
  },

  'a board loads its data again when they are due, and not after the visitor stops it': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/airports/JFK/today');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.clock.install();
    await page.reload();
    requests.length = 0;
    await page.clock.runFor(9 * 60_000);
    t.deepEqual(requests, []);
    await Promise.all([page.waitForRequest('**/explorer/today?**'), page.clock.runFor(2 * 60_000)]);
    await page.click('.refresh a');
    await page.waitForURL('**/airports/JFK/today?refresh=off');
    requests.length = 0;
    await page.clock.runFor(20 * 60_000);
    t.deepEqual(requests, []);
  },
};
