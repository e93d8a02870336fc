import test from 'ava';
import { normalQuantile, normalTail } from '../../models/normal.ts';

test('tails agree with tables of the normal distribution', (t) => {
  for (const [z, tail] of [
    [0, 0.5],
    [1, 0.158655254],
    [1.959963985, 0.025],
    [-1, 0.841344746],
    [3, 0.001349898],
    [4, 0.00003167124],
  ] as const) {
    t.true(Math.abs(normalTail(z) / tail - 1) < 1e-6, `${z}`);
  }
});

test('the quantile is the inverse of the tail', (t) => {
  for (const share of [1e-6, 0.01, 0.024, 0.025, 0.3, 0.5, 0.7, 0.976, 0.99, 1 - 1e-6]) {
    t.true(Math.abs(1 - normalTail(normalQuantile(share)) - share) < 2e-7, `${share}`);
  }
});
