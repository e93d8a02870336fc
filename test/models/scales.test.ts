import test from 'ava';
import fc from 'fast-check';
import { blend } from '../../models/blend.ts';
import { riskLabel } from '../../models/label.ts';
import { expit, logit } from '../../warehouse/ground/log-odds.ts';
import { cancelledRateValue, delayedRateValue, seasonValue } from '../../models/scales.ts';

test('labels change between 30 and 31, 55 and 56, 74 and 75', (t) => {
  t.deepEqual([0, 30, 31, 55, 56, 74, 75, 100].map(riskLabel), [
    'Low',
    'Low',
    'Moderate',
    'Moderate',
    'High',
    'High',
    'Very High',
    'Very High',
  ]);
  t.is(riskLabel(30.49), 'Low');
  t.is(riskLabel(30.5), 'Moderate');
});

test('each scale has its ends and its middle at the documented rates and odds', (t) => {
  const near = (value: number) => Math.round(value * 1000) / 1000;
  t.deepEqual([0.01, 0.03, 0.12, 0.35, 0.6].map(delayedRateValue).map(near), [0, 0, 0.519, 1, 1]);
  t.deepEqual(
    [0.001, 0.003, 0.017, 0.08, 0.2].map(cancelledRateValue).map(near),
    [0, 0, 0.52, 1, 1],
  );
  t.deepEqual([0.25, 0.5, 1, 2, 4].map(seasonValue).map(near), [0, 0, 0.5, 1, 1]);
});

test('a higher rate or odds never gives a lower value', (t) => {
  const rate = fc.double({ min: 0.0001, max: 0.9999, noNaN: true });
  fc.assert(
    fc.property(rate, rate, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      t.true(delayedRateValue(low) <= delayedRateValue(high));
      t.true(cancelledRateValue(low) <= cancelledRateValue(high));
      t.true(seasonValue(low * 3) <= seasonValue(high * 3));
    }),
  );
});

test('the model has a weight of 30 percent at a confidence of 0.5 or more, and less below 0.5', (t) => {
  t.is(blend(50, 80, 1), 59);
  t.is(blend(50, 80, 0.5), 59);
  t.is(blend(50, 80, 0.25), 47);
  t.is(blend(50, 80, 0), 35);
});

test('logit and expit are inverse functions', (t) => {
  t.is(logit(0.5), 0);
  t.true(Math.abs(expit(logit(0.12)) - 0.12) < 1e-12);
});
