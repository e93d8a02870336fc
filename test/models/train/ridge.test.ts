import test from 'ava';
import { fitRidge } from '../../../models/train/ridge.ts';

/** 100 flights with x = 0, 20 of them late; 100 flights with x = 1, 50 late. */
const TWO_GROUPS = {
  x: Float32Array.of(0, 1),
  columns: 1,
  trials: Float64Array.of(100, 100),
  successes: Float64Array.of(20, 50),
  offset: Float64Array.of(0, 0),
};

const near = (a: number | undefined, b: number) => Math.abs((a ?? Number.NaN) - b) < 1e-6;

test('without a penalty the fit gives each group its own log-odds', (t) => {
  const { weights, intercept } = fitRidge(TWO_GROUPS, [0]);
  t.true(near(intercept, Math.log(0.2 / 0.8)));
  t.true(near(weights[0], Math.log(4)));
});

test('the fit adds nothing that the offset already explains', (t) => {
  const offset = Float64Array.of(0, Math.log(4));
  t.true(near(fitRidge({ ...TWO_GROUPS, offset }, [0]).weights[0], 0));
});

test('a strong penalty keeps the weight at its target, and the intercept still fits', (t) => {
  const { weights, intercept } = fitRidge(TWO_GROUPS, [1e9], [0.5]);
  t.true(near(weights[0], 0.5));
  const expected = [0, 0.5].map((x) => 100 / (1 + Math.exp(-(intercept + x))));
  t.true(Math.abs((expected[0] ?? 0) + (expected[1] ?? 0) - 70) < 1e-4);
});

test('a missing value counts as 0, and a column of zeros changes nothing', (t) => {
  const x = Float32Array.of(0, 0, 1, 0);
  const missing = Float32Array.of(Number.NaN, 0, 1, Number.NaN);
  const fit = fitRidge({ ...TWO_GROUPS, x, columns: 2 }, [0, 0]);
  t.deepEqual(fitRidge({ ...TWO_GROUPS, x: missing, columns: 2 }, [0, 0]), fit);
  t.true(near(fit.weights[1], 0));
});
