import test from 'ava';
import { fitWeights } from '../../../models/train/linear-weights.ts';
import weightsFile from '../../../models/linear-weights.json' with { type: 'json' };
import { sha256 } from '../../../warehouse/sha256.ts';

const observed = (values: number[], disrupted: number, level = 1) => ({
  values,
  flights: 10_000,
  disrupted,
  level,
});

test('the factor that tells more weighs more, and the weights add up to 1', (t) => {
  const weights = fitWeights([
    observed([0, 0], 1000),
    observed([1, 0], 3000),
    observed([0, 1], 1500),
    observed([1, 1], 4000),
  ]);
  t.true((weights[0] ?? 0) > 2 * (weights[1] ?? 0));
  t.true((weights[1] ?? 0) > 0);
  t.true(Math.abs((weights[0] ?? 0) + (weights[1] ?? 0) - 1) < 1e-12);
});

test('a factor that points the wrong way weighs nothing', (t) => {
  const weights = fitWeights([
    observed([0, 0], 2000),
    observed([1, 0], 4000),
    observed([0, 1], 1000),
    observed([1, 1], 2000),
  ]);
  t.deepEqual(weights, [1, 0]);
});

test('a factor that only follows the level of the months weighs nothing', (t) => {
  const weights = fitWeights([
    observed([0, 0], 1000),
    observed([1, 0], 2000),
    observed([0, 1], 3000, 2),
    observed([1, 1], 5000, 2),
  ]);
  t.true((weights[1] ?? 1) < 0.1);
});

test('the weights that ship are those that were sealed', (t) => {
  const { weights, provenance, seal } = weightsFile;
  t.is(sha256(JSON.stringify({ weights, provenance })), seal);
});
