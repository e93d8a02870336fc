import { HOSTILE } from '../../helpers/explorer-world.ts';
import { FLIGHT, type Case } from './world.ts';

const BAD = encodeURIComponent(HOSTILE);
const ROUTE = 'origin=JFK&dest=LAX';

/** Addresses in which every part contains text that would run as a script if a page treated it as markup. */
const ADDRESSES = [
  `/flights?origin=${BAD}&dest=LAX`,
  `/flights?origin=JFK&dest=${BAD}`,
  `/flights?${ROUTE}&airline=${BAD}`,
  `/flights?${ROUTE}&prefers=${BAD}`,
  `/flights?${ROUTE}&date=${BAD}`,
  `/flights?${ROUTE}&dep_time=${BAD}`,
  `/flights/${BAD}`,
  `/flights/JFK-LAX-AA-2026-03-20?dep_time=${BAD}`,
  `/flights/JFK-LAX-AA-2026-03-20?${BAD}=${BAD}`,
  `/airports/${BAD}`,
  `/airlines/${BAD}`,
  `/routes/${BAD}`,
  `/map?month=${BAD}`,
  `/map?airline=${BAD}`,
  `/map?hour=${BAD}&at=${BAD}`,
  `/model?${BAD}`,
  `/status?at=${BAD}`,
  `/?${BAD}#${BAD}`,
  `/${BAD}`,
];

/** Hostile input. */
export const hostileCases: Record<string, Case> = {
  'hostile text never runs, neither in news nor in any part of an address': async (
    t,
    { open, base },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    t.true(await page.locator('#news', { hasText: '<script>' }).isVisible());
    t.is(await page.locator('#news a').count(), 0);
    for (const path of ADDRESSES) {
      await page.goto(base + path);
      t.regex(await page.title(), / · Headwind$/, path);
      t.is(await page.locator('img, iframe').count(), 0, path);
      t.is(await page.locator('script').count(), 3, `${path}: theme, main, state`);
    }
    t.deepEqual(
      complaints.filter((one) => !one.includes('status of 4')),
      [],
    );
  },

  'script of the page cannot turn text into markup or script': async (t, { open }) => {
    const { page } = await open(t, FLIGHT);
    const errorOf = (script: string) =>
      page.evaluate(`(() => { try { ${script} } catch (error) { return error.name; } })()`);
    t.is(await errorOf(`document.body.innerHTML = '<b>x</b>'`), 'TypeError');
    t.is(await errorOf(`document.createElement('script').src = '/x.js'`), 'TypeError');
    t.is(await errorOf(`trustedTypes.createPolicy('mine', {})`), 'TypeError');
    t.is(
      await errorOf(`trustedTypes.createPolicy('offline', {})`),
      'TypeError',
      'the name is already used',
    );
  },
};
