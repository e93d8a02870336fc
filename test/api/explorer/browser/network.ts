import type { Page } from 'playwright-core';
import { FLIGHT, scoreText, type Case } from './world.ts';

/** A network that is slow, refuses requests or is unavailable. */
export const networkCases: Record<string, Case> = {
  'offline, visited pages still open, and a new request shows an offline notice': async (
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
    // The browser is online, but the request fails.
    await page.route('**/explorer/flight?*', (route) => route.abort());
    await page.locator('#hours a').nth(12).click();
    await page.locator('#notice', { hasText: 'Headwind did not answer' }).waitFor();
    await page.unroute('**/explorer/flight?*');
    await page.locator('#hours a').nth(12).click();
    await page.waitForURL('**?dep_time=12:00');
    t.is(await page.locator('#notice').innerText(), '');
  },
  'a slow answer, a refusal and a failure each show a notice, and the last request wins': async (
    t,
    { open, limit },
  ) => {
    const { page } = await open(t, FLIGHT);
    const gate = Promise.withResolvers<void>();
    await page.route('**/explorer/flight?**airline=B6**', async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    });
    await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
    await page.locator('#app[aria-busy]').waitFor();
    await page.locator('#airlines a', { hasText: 'Delta' }).click();
    await page.waitForURL('**/flights/JFK-LAX-DL-*');
    gate.resolve();
    t.is(await page.inputValue('[name=airline]'), 'DL');
    t.is(await page.locator('#app[aria-busy]').count(), 0);

    limit.waitS = 23;
    await page.locator('#hours a').nth(3).click();
    await page.locator('#notice', { hasText: 'Try again in 23 seconds' }).waitFor();
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
    await page.locator('h1', { hasText: 'Nothing found' }).waitFor();
    t.is(await page.getAttribute('[name=airline]', 'aria-invalid'), 'true');
  },

  'offline, a reopened page shows its saved answer with the date, and other addresses show an offline page':
    async (t, { open, at }) => {
      const { page, context } = await open(t, FLIGHT, { serviceWorkers: 'allow' });
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const first = await scoreText(page);
      await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
      await page.waitForURL('**/flights/JFK-LAX-B6-*');
      // Answers are saved a moment after they are shown. If the test left the page earlier, they would not be saved.
      await waitForSavedAnswers(page, 2);
      await context.setOffline(true);
      await page.reload();
      await page.locator('#notice', { hasText: 'This page was saved on' }).waitFor();
      t.is(await page.inputValue('[name=airline]'), 'B6');
      const unseen = await page.goto('/flights/JFK-LAX-DL-2026-03-20');
      t.is(unseen?.status(), 200, 'by the worker');
      await page.locator('h1', { hasText: 'You are offline' }).waitFor();
      t.true(await page.locator('[data-ask]').isVisible());
      await page.goto(FLIGHT);
      await page.locator('.score').waitFor();
      t.is(await scoreText(page), first);
      // The service worker ignores the addresses of the API.
      await t.throwsAsync(page.goto('/api/health'), { message: /INTERNET_DISCONNECTED/ });
      await context.setOffline(false);
      await page.goto('/flights/JFK-LAX-DL-2026-03-20');
      t.is(at(page), '/flights/JFK-LAX-DL-2026-03-20');
      t.is(await page.locator('#notice').innerText(), '');
      const paths = await pathsInCaches(page, '');
      t.true(paths.length > 3);
      for (const path of paths) t.regex(path, /^\/explorer\//);
    },

  'going back while an answer is pending drops the answer': async (t, { open, at }) => {
    const { page } = await open(t, FLIGHT);
    await page.locator('#airlines a', { hasText: 'Delta' }).click();
    await page.waitForURL('**/flights/JFK-LAX-DL-*');
    const gate = Promise.withResolvers<void>();
    await page.route('**/explorer/flight?**airline=B6**', async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    });
    const request = page.waitForRequest('**/explorer/flight?**airline=B6**');
    await page.locator('#airlines a', { hasText: 'JetBlue' }).click();
    await request;
    await page.goBack();
    await page.waitForURL(`**${FLIGHT}`);
    gate.resolve();
    await page.waitForLoadState('networkidle');
    t.is(at(page), FLIGHT);
    t.is(await page.inputValue('[name=airline]'), 'AA');
    t.is(await page.locator('#app[aria-busy]').count(), 0);
  },
};

/** Returns the paths in the browser's caches whose name has this ending. */
function pathsInCaches(page: Page, ending: string): Promise<string[]> {
  return page.evaluate(`(async () => {
    const names = (await caches.keys()).filter((name) => name.endsWith('${ending}'));
    const stores = await Promise.all(names.map((name) => caches.open(name)));
    return (await Promise.all(stores.map((one) => one.keys()))).flat().map(({ url }) => new URL(url).pathname);
  })()`);
}

/** Waits until that number of answers is saved for offline use. */
async function waitForSavedAnswers(page: Page, count: number): Promise<void> {
  while ((await pathsInCaches(page, '-answers')).length < count) await page.waitForTimeout(20);
}
