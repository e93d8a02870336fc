import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FlightData } from '../../../../api/explorer/views/flight/flight-data.ts';
import { openBrowser, openPage } from '../../helpers/browser.ts';
import { explorerDeps } from '../../helpers/explorer-world.ts';
import { anAddress } from '../../helpers/served.ts';

export const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

/** A browser, and the pages it looks at. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** What is seen in the browser. */
export type Case = (t: ExecutionContext, world: World) => Promise<void>;

/** One browser and one service for all cases, which take turns. */
export async function openWorld(t: { teardown: (end: () => Promise<void>) => void }) {
  const limit = { waitS: 0 };
  const base = await anAddress(t, explorerDeps({ admit: async () => limit.waitS }));
  const browser: Browser = await openBrowser();
  t.teardown(() => browser.close());
  return {
    base,
    /** Seconds a visitor is told to wait; 0: answered. */
    limit,
    open: (t: ExecutionContext, path: string, options: BrowserContextOptions = {}) =>
      openPage(t, browser, base + path, options),
    /** Path and query the page is at. */
    at: (page: Page) => decodeURIComponent(page.url().slice(base.length)),
    /** What the endpoint answers of the flight at an address. */
    dataAt: async (page: Page, address: string): Promise<FlightData> => {
      const [flight = '', query = ''] = address.replace('/flights/', '').split('?');
      const [origin, dest, airline, ...date] = flight.split('-');
      const source = `/explorer/flight?origin=${origin}&dest=${dest}&airline=${airline}&date=${date.join('-')}&${query}`;
      return (await page.request.get(base + source)).json() as Promise<FlightData>;
    },
  };
}

export const scoreOn = (page: Page) => page.locator('.score b').innerText();

/** The picture's table unfolded, which is when it is drawn. */
export async function tableOf(page: Page, id: string) {
  const details = page.locator(`#${id} .tools details`);
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  await page.locator(`#${id} table`).waitFor();
  // What is unfolded shows for a frame what it was made of before.
  await settled(page);
  return page.locator(`#${id} table`);
}

/** Pictures follow the answer by a frame; after this they have. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = globalThis as unknown as { requestAnimationFrame: (done: () => void) => void };
    for (let at = 0; at < 2; at++) {
      await new Promise<void>((done) => frame.requestAnimationFrame(() => setTimeout(done)));
    }
  });
}
