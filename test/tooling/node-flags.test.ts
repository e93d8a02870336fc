import { readFile } from 'node:fs/promises';
import test from 'ava';
import { NODE_FLAGS } from '../../jobs/processes/api-node-flags.ts';

/** Matches the flags of node before the API's program. Commas separate them in YAML, blanks elsewhere. */
const FLAGS = /((?:--[\w=-]+[\s,]+)+)jobs\/main\.ts/g;

test('the Makefile, systemd and Compose start the API with the same flags of node', async (t) => {
  for (const file of ['Makefile', 'deploy/systemd/headwind-api.service', 'deploy/compose.yaml']) {
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    const found = [...text.matchAll(FLAGS)].map(([, flags = '']) =>
      flags.split(/[\s,]+/).slice(0, -1),
    );
    t.deepEqual(found, [NODE_FLAGS], file);
  }
});
