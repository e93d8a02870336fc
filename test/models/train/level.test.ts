import test from 'ava';
import { levelOf } from '../../../models/train/level.ts';

const expit = (x: number) => 1 / (1 + Math.exp(-x));
const logit = (p: number) => Math.log(p / (1 - p));

test('a history at the long-run rate keeps its level: expected delays equal the observed ones', (t) => {
  const logOdds = Float64Array.of(-1, 1);
  const level = levelOf(logOdds, {
    flights: Float64Array.of(500, 500),
    delayed: Float64Array.of(30, 85),
    levelShift: Float64Array.of(Number.NaN, Number.NaN),
  });
  const expected = 500 * expit(level - 1) + 500 * expit(level + 1);
  t.true(Math.abs(expected - 115) < 1e-6);
});

test('three quarters of the distance from the long run remain', (t) => {
  const level = levelOf(Float64Array.of(0), {
    flights: Float64Array.of(1000),
    delayed: Float64Array.of(180),
    levelShift: Float64Array.of(Number.NaN),
  });
  t.true(Math.abs(level - logit(0.115) - 0.75 * (logit(0.18) - logit(0.115))) < 1e-9);
});

test('flights of a bad month are expected at the current level', (t) => {
  const level = levelOf(Float64Array.of(0, 0), {
    flights: Float64Array.of(1000, 1000),
    delayed: Float64Array.of(300, 900),
    levelShift: Float64Array.of(0.5, Number.NaN),
  });
  t.true(Math.abs(level - (logit(0.3) - 0.5)) < 1e-9, 'a month without a level is ignored');
});
