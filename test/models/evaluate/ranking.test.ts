import test from 'ava';
import { ranking } from '../../../models/evaluate/ranking.ts';

test('the highest forecasts come first, in shares of all, delayed and on-time flights', (t) => {
  const cases = [
    { p: 0.1, flights: 4, delayed: 0 },
    { p: 0.5, flights: 2, delayed: 1 },
    { p: 0.9, flights: 2, delayed: 1 },
  ];
  t.deepEqual(ranking(cases), [
    { flights: 0, delayed: 0, onTime: 0 },
    { flights: 0.25, delayed: 0.5, onTime: 1 / 6 },
    { flights: 0.5, delayed: 1, onTime: 2 / 6 },
    { flights: 1, delayed: 1, onTime: 1 },
  ]);
});

test('like forecasts are one step, however few steps there are', (t) => {
  const tied = [
    { p: 0.5, flights: 1, delayed: 1 },
    { p: 0.5, flights: 1, delayed: 0 },
  ];
  t.deepEqual(ranking(tied), [
    { flights: 0, delayed: 0, onTime: 0 },
    { flights: 1, delayed: 1, onTime: 1 },
  ]);
});

test('a long list is thinned to about as many steps as are asked for, and ends at everything', (t) => {
  const cases = Array.from({ length: 1000 }, (_, at) => ({ p: at, flights: 1, delayed: at % 2 }));
  const steps = ranking(cases, 10);
  t.is(steps.length, 11);
  t.deepEqual(steps[1], { flights: 0.1, delayed: 0.1, onTime: 0.1 });
  t.deepEqual(steps.at(-1), { flights: 1, delayed: 1, onTime: 1 });
});
