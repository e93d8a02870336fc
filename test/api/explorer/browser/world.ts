import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FlightData } from '../../../../api/explorer/views/flight/flight-data.ts';
import { openBrowser, openPage } from '../../helpers/browser.ts';
import { explorerDeps } from '../../helpers/explorer-world.ts';
import { serveApi } from '../../helpers/served.ts';

export const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

/** A browser and a running service. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** A test in the browser. */
export type Case = (t: ExecutionContext, world: World) => Promise<void>;

/** Starts one browser and one service for all cases. The cases run one after another. */
export async function openWorld(t: { teardown: (end: () => Promise<void>) => void }) {
  const limit = { waitS: 0 };
  const base = await serveApi(t, explorerDeps({ admit: async () => limit.waitS }));
  const browser: Browser = await openBrowser();
  t.teardown(() => browser.close());
  return {
    base,
    /** Seconds a visitor must wait; 0 allows requests. */
    limit,
    open: (t: ExecutionContext, path: string, options: BrowserContextOptions = {}) =>
      openPage(t, browser, base + path, options),
    /** Returns path and query of the page's address. */
    at: (page: Page) => decodeURIComponent(page.url().slice(base.length)),
    /** Returns the endpoint's answer for the flight at an address. */
    dataAt: async (page: Page, address: string): Promise<FlightData> => {
      const [flight = '', query = ''] = address.replace('/flights/', '').split('?');
      const [origin, dest, airline, ...date] = flight.split('-');
      const source = `/explorer/flight?origin=${origin}&dest=${dest}&airline=${airline}&date=${date.join('-')}&${query}`;
      return (await page.request.get(base + source)).json() as Promise<FlightData>;
    },
  };
}

export const scoreText = (page: Page) => page.locator('.score b').innerText();

/** Unfolds the table of a picture, because a folded table is not drawn. Returns the table. */
export async function tableOf(page: Page, id: string) {
  const details = page.locator(`#${id} .tools details`);
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  await page.locator(`#${id} table`).waitFor();
  // For one frame, an unfolded table still shows its previous content.
  await waitForPictures(page);
  return page.locator(`#${id} table`);
}

/** Waits until the pictures are drawn, one frame after the answer. */
export async function waitForPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = globalThis as unknown as { requestAnimationFrame: (done: () => void) => void };
    for (let at = 0; at < 2; at++) {
      await new Promise<void>((done) => frame.requestAnimationFrame(() => setTimeout(done)));
    }
  });
}
