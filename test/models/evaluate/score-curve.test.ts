import test from 'ava';
import { curveAtRate, fitSlope } from '../../../models/evaluate/score-curve.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';

/** 100,000 flights at each score. The log-odds of a delay are a linear function of the score. */
const onLine = (level: number, slope: number) =>
  [10, 20, 30, 40, 50].map((p) => ({
    p,
    flights: 100_000,
    delayed: 100_000 * expit(level + slope * p),
  }));

test('with many flights the slope equals the slope in the flights', (t) => {
  t.true(Math.abs(fitSlope(onLine(-4, 0.07)) - 0.07) < 1e-4);
});

test('a few flights hardly move the slope from its prior', (t) => {
  const slope = fitSlope([
    { p: 20, flights: 5, delayed: 0 },
    { p: 40, flights: 5, delayed: 5 },
  ]);
  t.true(slope > 0.05 && slope < 0.06, String(slope));
});

test('the slope is 0 where delays fall with the score', (t) => {
  t.is(fitSlope(onLine(-1, -0.02)), 0);
});

test('the curve has the slope in log-odds, and its mean over the flights is the rate', (t) => {
  const curve = curveAtRate(Math.log(3) / 20, onLine(-4, 0.07), 0.25);
  const mean = [10, 20, 30, 40, 50].reduce((all, score) => all + curve(score), 0) / 5;
  t.true(Math.abs(mean - 0.25) < 1e-9);
  const odds = (score: number) => curve(score) / (1 - curve(score));
  t.true(Math.abs(odds(50) / odds(30) - 3) < 1e-9);
});
