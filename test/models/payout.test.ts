import test from 'ava';
import { payoutOf, type PayoutTerm } from '../../models/payout.ts';

const CURVE = {
  late: [0.3, 0.2, 0.14, 0.1, 0.06, 0.04, 0.02, 0.004],
  diverted: 0.002,
  cancelled: 0.05,
};
const payout = (terms: PayoutTerm[]) => payoutOf(terms, { curve: CURVE, low: CURVE, high: CURVE });

test('a late flight pays only the term with the longest delay that it exceeds', (t) => {
  const { expected, standardDeviation, probabilities } = payout([
    { condition: 120, amount: 250 },
    { condition: 60, amount: 100 },
    { condition: 'cancelled', amount: 400 },
  ]);
  t.deepEqual(
    probabilities.map((one) => Math.round(1e4 * one) / 1e4),
    [0.04, 0.06, 0.05],
  );
  t.is(Math.round(100 * expected), 3600);
  // 0.04 · 250² + 0.06 · 100² + 0.05 · 400² − 36² = 9804.
  t.is(Math.round(standardDeviation ** 2), 9804);
});

test('between two delays of the curve the logarithm of the probability is a straight line', (t) => {
  const { expected } = payout([{ condition: 150, amount: 1 }]);
  t.true(Math.abs(expected - Math.sqrt(0.04 * 0.02)) < 1e-12);
});

test('an amount that falls with the delay uses the other end of the band', (t) => {
  const low = { ...CURVE, late: CURVE.late.map((one) => one / 2), cancelled: 0.02 };
  const high = { ...CURVE, late: CURVE.late.map((one) => 1.5 * one), cancelled: 0.08 };
  const falling: PayoutTerm[] = [
    { condition: 60, amount: 100 },
    { condition: 120, amount: 40 },
  ];
  const band = payoutOf(falling, { curve: CURVE, low, high });
  // Lowest: 100 · 0.05 − 60 · 0.06; highest: 100 · 0.15 − 60 · 0.02.
  t.true(Math.abs(band.low - 1.4) < 1e-9);
  t.true(Math.abs(band.high - 13.8) < 1e-9);
});
