import type { Page } from 'playwright-core';
import { findAccessibilityIssues } from '../../helpers/browser.ts';
import { scoreText, waitForPictures, tableOf, FLIGHT, type Case } from './world.ts';

/** Searching for a flight, changing it, going back, and sharing its address. */
export const flightSearchCases: Record<string, Case> = {
  'a flight can be entered by city names and with the keyboard, and is shown at its own address':
    async (t, { open, at, dataAt }) => {
      const { page, complaints } = await open(t, '/');
      // The first field has the focus, and choosing a suggestion moves the focus to the next field.
      t.true(await page.locator('#choices').isHidden());
      await page.keyboard.type('new y');
      // The list is longer until the answer for the last letter arrives.
      await page.waitForFunction(() => document.querySelectorAll('#choices li').length === 2);
      t.is(await page.getAttribute('[name=origin]', 'aria-expanded'), 'true');
      // The first suggestion is active, and the arrow keys go round the list.
      const field = page.locator('[name=origin]');
      t.is(await field.getAttribute('aria-activedescendant'), 'choice-0');
      await page.keyboard.press('ArrowDown');
      t.is(await field.getAttribute('aria-activedescendant'), 'choice-1');
      await page.keyboard.press('ArrowDown');
      t.is(await field.getAttribute('aria-activedescendant'), 'choice-0');
      t.is(await page.locator('#choices [aria-selected=true]').count(), 1);
      await page.keyboard.press('Enter');
      t.is(await page.inputValue('[name=origin]'), 'JFK');
      await page.keyboard.type('los');
      await page.locator('#choices li', { hasText: 'Los Angeles' }).click();
      t.is(await page.inputValue('[name=dest]'), 'LAX');
      t.is(await page.locator('input:focus').getAttribute('name'), 'date');
      await page.fill('[name=date]', '2026-03-20');
      await submitUntilShown(page, '.score');
      t.is(at(page), '/flights/JFK-LAX-AA-2026-03-20');
      const { score } = await dataAt(page, at(page));
      t.is(await scoreText(page), String(score.score));
      t.regex(
        await page.title(),
        /^JFK–LAX AA 2026-03-20: \d+% late or cancelled, average flight \d+% · Headwind$/,
      );
      // Auckland has no flights on record, so only the server finds it.
      await page.fill('[name=origin]', 'auck');
      await page.locator('#choices li', { hasText: 'Auckland' }).waitFor();
      await page.keyboard.press('Escape');
      t.true(await page.locator('#choices').isHidden());
      t.is(await page.getAttribute('[name=origin]', 'aria-expanded'), 'false');
      await page.keyboard.press('Escape');
      t.is(await page.inputValue('[name=origin]'), '');
      t.deepEqual(complaints, []);
    },
  'a text that matches nothing is reported in the list and to screen readers, and the error page keeps it':
    async (t, { open }) => {
      const { page } = await open(t, '/');
      await page.keyboard.type('xyzzy');
      const none = page.locator('#choices li');
      await none.filter({ hasText: 'No airport matches “xyzzy”.' }).waitFor();
      t.is(await none.getAttribute('aria-disabled'), 'true');
      t.is(await page.getAttribute('[name=origin]', 'aria-activedescendant'), null);
      t.regex(await page.locator('.unseen[role=status]').innerText(), /No airport matches/);
      t.deepEqual(await findAccessibilityIssues(page), []);
      await page.fill('[name=dest]', 'lax');
      await page.click('.primary');
      await page.locator('h1', { hasText: 'Nothing found' }).waitFor();
      t.is(await page.inputValue('[name=origin]'), 'xyzzy');
      t.is(await page.inputValue('[name=dest]'), 'lax');
      t.is(await page.getAttribute('[name=origin]', 'aria-invalid'), 'true');
    },
  'changing one value updates score, pictures, calls and address; back and forward do too': async (
    t,
    { open, at, dataAt },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const first = await scoreText(page);
    await page.locator('#airlines a', { hasText: 'Delta' }).click();
    const delta = '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30';
    await page.waitForURL(`**${delta}`);
    const { score, rivals } = await dataAt(page, delta);
    t.is(await scoreText(page), String(score.score));
    t.not(String(score.score), first);
    t.is(await page.inputValue('[name=airline]'), 'DL');
    await waitForPictures(page);
    t.true((await page.locator('#call-0-curl').textContent())?.includes("'airline=DL'"));
    const steps = await tableOf(page, 'contributions');
    t.is(await steps.locator('tbody tr:last-child td').first().innerText(), String(score.score));
    t.is(await (await tableOf(page, 'airlines')).locator('tbody tr').count(), rivals.length);
    await page.locator('#hours a').nth(17).click();
    await page.waitForURL('**?dep_time=17:00');
    await page.locator('[id^=month] a').nth(3).click();
    await page.waitForFunction(() => !location.href.includes('2026-03-20'));
    await page.fill('[name=date]', '2026-03-25');
    const address = '/flights/JFK-LAX-DL-2026-03-25?dep_time=17:00';
    await page.waitForURL(`**${address}`);
    // Submitting the current values again adds no history entry.
    await page.locator('[name=date]').dispatchEvent('change');
    await page.waitForLoadState('networkidle');
    t.is(at(page), address);
    for (let step = 0; step < 3; step++) await page.goBack();
    await page.waitForURL(`**${delta}`);
    await page.goBack();
    await page.waitForURL(`**${FLIGHT}`);
    t.is(await scoreText(page), first);
    await page.goForward();
    t.is(await page.inputValue('[name=airline]'), 'DL');
    t.true(await page.evaluate(() => 'isSamePage' in globalThis), 'without a reload');
    // Requests the return flight. Delta has no flights on record in this direction.
    await page.click('[data-swap]');
    await page.waitForURL('**/flights/LAX-JFK-AA-*');
    t.deepEqual(complaints, []);
  },
  'a step back restores the scroll position, and a new page starts at its top': async (
    t,
    { open },
  ) => {
    const { page } = await open(t, '/airports/JFK');
    const position = () => page.evaluate<number>('scrollY');
    await page.evaluate('scrollTo(0, 700)');
    await page.waitForFunction(() => history.state?.scrollY === 700);
    await page.locator('main a[href="/airports"]').first().dispatchEvent('click');
    await page.waitForURL('**/airports');
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await page.waitForURL('**/airports/JFK');
    await page.waitForFunction(() => scrollY === 700);
    await page.reload();
    await page.waitForFunction(() => scrollY === 700);
    t.is(await position(), 700);
  },
  'a shared address shows the same page to everyone, also without script': async (
    t,
    { open, at },
  ) => {
    const { page } = await open(t, FLIGHT);
    const { page: bare } = await open(t, FLIGHT, { javaScriptEnabled: false });
    for (const place of ['.verdict', '#hours table', '#contributions table', '#basis']) {
      t.is(await bare.locator(place).textContent(), await page.locator(place).textContent(), place);
    }
    await bare.fill('[name=airline]', 'DL');
    await bare.click('.primary');
    t.is(at(bare), '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30');
  },
};

/**
 * Presses Enter in a form until the page shows an element. On a busy machine, the page may give up its request. It then
 * says that Headwind did not answer, and waits for the visitor to try again.
 */
async function submitUntilShown(page: Page, element: string): Promise<void> {
  const gaveUp = page.locator('#notice', { hasText: 'Headwind did not answer' });
  const shown = page.locator(element);
  for (let attempt = 1; attempt <= 5; attempt++) {
    await page.keyboard.press('Enter');
    await shown.or(gaveUp).first().waitFor();
    if (await shown.isVisible()) return;
    await gaveUp.evaluate((notice) => notice.replaceChildren());
  }
  await shown.waitFor();
}
