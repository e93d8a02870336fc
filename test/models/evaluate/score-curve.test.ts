import test from 'ava';
import { curveAtRate, fitSlope } from '../../../models/evaluate/score-curve.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';

/** A hundred thousand flights at each score, delayed as the line in log-odds says. */
const onLine = (level: number, slope: number) =>
  [10, 20, 30, 40, 50].map((p) => ({
    p,
    flights: 100_000,
    delayed: 100_000 * expit(level + slope * p),
  }));

test('with many flights the slope is that of the line they lie on', (t) => {
  t.true(Math.abs(fitSlope(onLine(-4, 0.07)) - 0.07) < 1e-4);
});

test('a handful of flights hardly moves the slope', (t) => {
  const slope = fitSlope([
    { p: 20, flights: 5, delayed: 0 },
    { p: 40, flights: 5, delayed: 5 },
  ]);
  t.true(slope > 0.05 && slope < 0.06, String(slope));
});

test('where delays fall with the score there is no slope', (t) => {
  t.is(fitSlope(onLine(-1, -0.02)), 0);
});

test('the curve has the slope in log-odds, and gives the flights the rate', (t) => {
  const curve = curveAtRate(Math.log(3) / 20, onLine(-4, 0.07), 0.25);
  const mean = [10, 20, 30, 40, 50].reduce((all, score) => all + curve(score), 0) / 5;
  t.true(Math.abs(mean - 0.25) < 1e-9);
  const odds = (score: number) => curve(score) / (1 - curve(score));
  t.true(Math.abs(odds(50) / odds(30) - 3) < 1e-9);
});
