import test from 'ava';
import { betaQuantile, betaShare } from '../../models/beta.ts';

function isNear(a: number, b: number, tolerance = 1e-8): boolean {
  return Math.abs(a - b) <= tolerance;
}

test('the share below a value matches cases with a closed form', (t) => {
  // Beta(1, 1) is uniform, Beta(2, 1) has x², Beta(2, 3) has 6x² − 8x³ + 3x⁴.
  t.true(isNear(betaShare(0.3, 1, 1), 0.3));
  t.true(isNear(betaShare(0.3, 2, 1), 0.09));
  t.true(isNear(betaShare(0.4, 2, 3), 6 * 0.4 ** 2 - 8 * 0.4 ** 3 + 3 * 0.4 ** 4));
  // The arcsine distribution, Beta(1/2, 1/2).
  t.true(isNear(betaShare(0.2, 0.5, 0.5), (2 / Math.PI) * Math.asin(Math.sqrt(0.2))));
  t.is(betaShare(0, 3, 4), 0);
  t.is(betaShare(1, 3, 4), 1);
});

test('the quantile is the inverse of the share, for few flights and for many', (t) => {
  for (const [a, b] of [
    [0.5, 40],
    [2, 18],
    [150, 850],
    [15_000, 85_000],
  ] as const) {
    for (const probability of [0.05, 0.5, 0.95]) {
      t.true(isNear(betaShare(betaQuantile(probability, a, b), a, b), probability, 1e-4), `${a}`);
    }
  }
});

test('the quantile is exact in the tails of skewed distributions', (t) => {
  for (const [probability, a, b] of [
    [0.001, 0.66, 2.1],
    [0.999, 0.66, 2.1],
    [0.95, 1.7, 2_000],
    [0.05, 90_000, 3],
  ] as const) {
    const share = betaShare(betaQuantile(probability, a, b), a, b);
    t.true(isNear(share, probability, 1e-6), `${a}, ${b}: ${share}`);
  }
});

test('with many flights the interval approaches that of a normal distribution', (t) => {
  const [low, high] = [betaQuantile(0.05, 1_500, 8_500), betaQuantile(0.95, 1_500, 8_500)];
  const normal = 1.6449 * Math.sqrt((0.15 * 0.85) / 10_001);
  t.true(isNear(low, 0.15 - normal, 1e-4));
  t.true(isNear(high, 0.15 + normal, 1e-4));
});
