import type { Page } from 'playwright-core';
import { FLIGHT, scoreOn, type Case } from './world.ts';

/** The network is slow, says no, or is gone. */
export const network: Record<string, Case> = {
  'without the network what was seen stays, and a new question says that one is offline': async (
    t,
    { open, at },
  ) => {
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
  },
  'a slow answer, a refusal and a failure each say so, and the last question wins': async (
    t,
    { open, limit },
  ) => {
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

    limit.waitS = 23;
    await page.locator('#hours a').nth(3).click();
    await page.locator('#notice', { hasText: 'the next is answered in 23 seconds' }).waitFor();
    limit.waitS = 0;
    t.is(await page.inputValue('[name=airline]'), 'DL');
    await page.route('**/explorer/flight?**', (route) =>
      route.fulfill({ status: 500, json: { error: 'internal_error', message: 'That failed.' } }),
    );
    await page.locator('#hours a').nth(4).click();
    await page.locator('#notice', { hasText: 'That failed.' }).waitFor();
    await page.unroute('**/explorer/flight?**');
    await page.fill('[name=airline]', '0X');
    await page.locator('[name=airline]').dispatchEvent('change');
    await page.locator('h1', { hasText: 'There is nothing to show here' }).waitFor();
    t.is(await page.getAttribute('[name=airline]', 'aria-invalid'), 'true');
  },

  'a page is opened again without the network: what was seen is there with its date, and nothing else':
    async (t, { open, at }) => {
      const { page, context } = await open(t, FLIGHT, { serviceWorkers: 'allow' });
      await page.waitForFunction('navigator.serviceWorker.controller !== null');
      const first = await scoreOn(page);
      await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
      await page.waitForURL('**/flights/JFK-LAX-B6-*');
      // What is shown is kept a moment later, which a page that is left does not wait for.
      await answersKept(page, 2);
      await context.setOffline(true);
      await page.reload();
      await page.locator('#notice', { hasText: 'This is as it was on' }).waitFor();
      t.is(await page.inputValue('[name=airline]'), 'B6');
      const unseen = await page.goto('/flights/JFK-LAX-DL-2026-03-20');
      t.is(unseen?.status(), 200, 'by the worker');
      await page.locator('h1', { hasText: 'You are offline' }).waitFor();
      t.true(await page.locator('[data-ask]').isVisible());
      await page.goto(FLIGHT);
      await page.locator('.score').waitFor();
      t.is(await scoreOn(page), first);
      // Programs' addresses are none of the worker's business.
      await t.throwsAsync(page.goto('/api/health'), { message: /INTERNET_DISCONNECTED/ });
      await context.setOffline(false);
      await page.goto('/flights/JFK-LAX-DL-2026-03-20');
      t.is(at(page), '/flights/JFK-LAX-DL-2026-03-20');
      t.is(await page.locator('#notice').innerText(), '');
      const kept = await keptIn(page, '');
      t.true(kept.length > 3);
      for (const path of kept) t.regex(path, /^\/explorer\//);
    },

  'who goes back while an answer is awaited stays there': async (t, { open, at }) => {
    const { page } = await open(t, FLIGHT);
    await page.locator('#airlines a', { hasText: 'Delta' }).click();
    await page.waitForURL('**/flights/JFK-LAX-DL-*');
    const held = Promise.withResolvers<void>();
    await page.route('**/explorer/flight?**airline=B6**', async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    const asked = page.waitForRequest('**/explorer/flight?**airline=B6**');
    await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
    await asked;
    await page.goBack();
    await page.waitForURL(`**${FLIGHT}`);
    held.resolve();
    await page.waitForLoadState('networkidle');
    t.is(at(page), FLIGHT);
    t.is(await page.inputValue('[name=airline]'), 'AA');
    t.is(await page.locator('#app[aria-busy]').count(), 0);
  },
};

/** Paths of what the browser keeps in stores whose name ends so. */
function keptIn(page: Page, ending: string): Promise<string[]> {
  return page.evaluate(`(async () => {
    const names = (await caches.keys()).filter((name) => name.endsWith('${ending}'));
    const stores = await Promise.all(names.map((name) => caches.open(name)));
    return (await Promise.all(stores.map((one) => one.keys()))).flat().map(({ url }) => new URL(url).pathname);
  })()`);
}

/** Waits until so many answers are kept for when the network is gone. */
async function answersKept(page: Page, count: number): Promise<void> {
  while ((await keptIn(page, '-answers')).length < count) await page.waitForTimeout(20);
}
