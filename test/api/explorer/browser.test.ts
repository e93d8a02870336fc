import test from 'ava';
import { BROWSER } from '../helpers/browser.ts';
import { flightSearchCases } from './browser/flight-search.ts';
import { headerCases } from './browser/header.ts';
import { hostileCases } from './browser/hostile.ts';
import { appearanceCases } from './browser/looks.ts';
import { networkCases } from './browser/network.ts';
import { exportCases } from './browser/exports.ts';
import { watchCases } from './browser/watch-form.ts';
import { rowCases } from './browser/rows.ts';
import { openWorld, type World } from './browser/world.ts';

/** `make test` installs a browser. If it may not do so, it prints a note, and these tests are skipped. */
const browserTest = BROWSER === undefined ? test.serial.skip : test.serial;

let world: World;
const teardowns: (() => Promise<void>)[] = [];

test.before(async () => {
  if (BROWSER === undefined) return;
  world = await openWorld({ teardown: (end) => void teardowns.unshift(end) });
});
test.after.always(async () => {
  for (const end of teardowns) await end();
});

const CASES = [
  ...[flightSearchCases, exportCases, networkCases],
  ...[headerCases, rowCases, hostileCases, watchCases, appearanceCases],
];

for (const cases of CASES) {
  for (const [title, run] of Object.entries(cases)) browserTest(title, (t) => run(t, world));
}
