import { readFile } from 'node:fs/promises';
import test from 'ava';
import { scorePicture } from '../../../../jobs/cli/fit/score-picture.ts';
import spread from '../../../../jobs/cli/fit/score-spread.json' with { type: 'json' };
import { shares } from '../../../../jobs/cli/fit/score-spread.ts';

test('shares are of the weight in each bin, and what lies beyond the ends is in the end bins', (t) => {
  t.deepEqual(shares([-1, 0.2, 1, 1.9, 2, 7], [1, 1, 2, 2, 1, 3], 3), [0.2, 0.4, 0.4]);
});

test('the picture in the docs is that of the spread that is kept, on the scales and bands there are', async (t) => {
  const kept = await readFile(
    new URL('../../../../docs/score-scales.svg', import.meta.url),
    'utf8',
  );
  t.is(await scorePicture(spread), kept);
});

test('every spread is of all flights', (t) => {
  for (const all of [...Object.values(spread.values), ...Object.values(spread.scores)]) {
    t.true(Math.abs(all.reduce((sum, share) => sum + share, 0) - 1) < 1e-3);
  }
});
