import test from 'ava';
import { BROWSER } from '../helpers/browser.ts';
import { asking } from './browser/asking.ts';
import { hostile } from './browser/hostile.ts';
import { looks } from './browser/looks.ts';
import { network } from './browser/network.ts';
import { takingAlong } from './browser/taking-along.ts';
import { openWorld, type World } from './browser/world.ts';

/** `make test` installs a browser; where it may not, these are skipped, and it has said so. */
const seen = BROWSER === undefined ? test.serial.skip : test.serial;

let world: World;
const ends: (() => Promise<void>)[] = [];

test.before(async () => {
  if (BROWSER === undefined) return;
  world = await openWorld({ teardown: (end) => void ends.unshift(end) });
});
test.after.always(async () => {
  for (const end of ends) await end();
});

for (const cases of [asking, takingAlong, network, hostile, looks]) {
  for (const [title, see] of Object.entries(cases)) seen(title, (t) => see(t, world));
}
