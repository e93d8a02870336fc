import test from 'ava';
import { fitRidge } from '../../../models/train/ridge.ts';

/** 100 flights without the mark, 20 late; 100 with it, 50 late. */
const MARKED = {
  x: Float32Array.of(0, 1),
  columns: 1,
  trials: Float64Array.of(100, 100),
  successes: Float64Array.of(20, 50),
  offset: Float64Array.of(0, 0),
};

const near = (a: number | undefined, b: number) => Math.abs((a ?? Number.NaN) - b) < 1e-6;

test('without a penalty the fit gives each group its own log-odds', (t) => {
  const { weights, intercept } = fitRidge(MARKED, [0]);
  t.true(near(intercept, Math.log(0.2 / 0.8)));
  t.true(near(weights[0], Math.log(4)));
});

test('what the offset already says is not learned again', (t) => {
  const offset = Float64Array.of(0, Math.log(4));
  t.true(near(fitRidge({ ...MARKED, offset }, [0]).weights[0], 0));
});

test('a strong penalty holds the weight where it is pulled, and leaves the level right', (t) => {
  const { weights, intercept } = fitRidge(MARKED, [1e9], [0.5]);
  t.true(near(weights[0], 0.5));
  const expected = [0, 0.5].map((x) => 100 / (1 + Math.exp(-(intercept + x))));
  t.true(Math.abs((expected[0] ?? 0) + (expected[1] ?? 0) - 70) < 1e-4);
});

test('a missing value counts as 0, and a column of zeros changes nothing', (t) => {
  const x = Float32Array.of(0, 0, 1, 0);
  const missing = Float32Array.of(Number.NaN, 0, 1, Number.NaN);
  const fit = fitRidge({ ...MARKED, x, columns: 2 }, [0, 0]);
  t.deepEqual(fitRidge({ ...MARKED, x: missing, columns: 2 }, [0, 0]), fit);
  t.true(near(fit.weights[1], 0));
});
