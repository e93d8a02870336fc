import { readFile } from 'node:fs/promises';
import test from 'ava';
import { scorePicture } from '../../../../jobs/cli/fit/score-picture.ts';
import spread from '../../../../jobs/cli/fit/score-spread.json' with { type: 'json' };
import { binShares } from '../../../../jobs/cli/fit/score-spread.ts';

test('each bin has its share of the weight, and positions beyond the ends are in the first or last bin', (t) => {
  t.deepEqual(binShares([-1, 0.2, 1, 1.9, 2, 7], [1, 1, 2, 2, 1, 3], 3), [0.2, 0.4, 0.4]);
});

test('the picture in the docs shows the saved spread on the current scales and bands', async (t) => {
  const saved = await readFile(
    new URL('../../../../docs/score-scales.svg', import.meta.url),
    'utf8',
  );
  t.is(scorePicture(spread), saved);
});

test('the shares of every spread add up to 1', (t) => {
  for (const all of [...Object.values(spread.values), ...Object.values(spread.scores)]) {
    t.true(Math.abs(all.reduce((sum, share) => sum + share, 0) - 1) < 1e-3);
  }
});
