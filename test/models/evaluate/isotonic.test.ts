import test from 'ava';
import { isotonicSteps, probabilityAt, shifted } from '../../../models/evaluate/isotonic.ts';

const at = (p: number, flights: number, delayed: number) => ({ p, flights, delayed });

test('shares that rise are kept, neighbours out of order are pooled', (t) => {
  t.deepEqual(isotonicSteps([at(10, 10, 1), at(20, 10, 4), at(30, 10, 2), at(40, 10, 9)]), [
    { score: 10, probability: 0.1 },
    { score: 20, probability: 0.3 },
    { score: 40, probability: 0.9 },
  ]);
});

test('flights of one score are one step, in whatever order they come', (t) => {
  t.deepEqual(isotonicSteps([at(20, 1, 1), at(10, 2, 0), at(20, 1, 0)]), [
    { score: 10, probability: 0 },
    { score: 20, probability: 0.5 },
  ]);
});

test('a step rests on as many flights as are asked for, and one score is never cut in two', (t) => {
  const cases = [at(10, 5, 0), at(20, 5, 2), at(20, 5, 3), at(30, 10, 9)];
  t.deepEqual(isotonicSteps(cases, 8), [
    { score: 10, probability: 5 / 15 },
    { score: 30, probability: 0.9 },
  ]);
});

test('a score has the probability of the last step at or below it, or of the first', (t) => {
  const steps = [
    { score: 10, probability: 0.1 },
    { score: 20, probability: 0.3 },
  ];
  t.deepEqual(
    [5, 10, 19.9, 20, 99].map((score) => probabilityAt(steps, score)),
    [0.1, 0.1, 0.1, 0.3, 0.3],
  );
});

test('a shift moves every step in log-odds, and none to certainty', (t) => {
  const [none, half] = shifted(
    [
      { score: 10, probability: 0 },
      { score: 20, probability: 0.5 },
    ],
    Math.log(3),
  );
  t.true(Math.abs((half?.probability ?? 0) - 0.75) < 1e-12);
  t.true((none?.probability ?? 0) > 0 && (none?.probability ?? 1) < 0.01);
});
