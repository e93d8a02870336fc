import test from 'ava';
import { rankingOf } from '../../../models/evaluate/ranking.ts';

test('the curve starts with the highest forecasts, in shares of all, delayed and on-time flights', (t) => {
  const cases = [
    { p: 0.1, flights: 4, delayed: 0 },
    { p: 0.5, flights: 2, delayed: 1 },
    { p: 0.9, flights: 2, delayed: 1 },
  ];
  t.deepEqual(rankingOf(cases), [
    { flights: 0, delayed: 0, onTime: 0 },
    { flights: 0.25, delayed: 0.5, onTime: 1 / 6 },
    { flights: 0.5, delayed: 1, onTime: 2 / 6 },
    { flights: 1, delayed: 1, onTime: 1 },
  ]);
});

test('equal forecasts are one step', (t) => {
  const equalForecasts = [
    { p: 0.5, flights: 1, delayed: 1 },
    { p: 0.5, flights: 1, delayed: 0 },
  ];
  t.deepEqual(rankingOf(equalForecasts), [
    { flights: 0, delayed: 0, onTime: 0 },
    { flights: 1, delayed: 1, onTime: 1 },
  ]);
});

test('a long list is reduced to about the requested number of steps, and ends at 1', (t) => {
  const cases = Array.from({ length: 1000 }, (_, at) => ({ p: at, flights: 1, delayed: at % 2 }));
  const steps = rankingOf(cases, 10);
  t.is(steps.length, 11);
  t.deepEqual(steps[1], { flights: 0.1, delayed: 0.1, onTime: 0.1 });
  t.deepEqual(steps.at(-1), { flights: 1, delayed: 1, onTime: 1 });
});
