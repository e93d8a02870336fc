import test from 'ava';
import { auc, brier, figuresOf, reliability } from '../../../models/evaluate/metrics.ts';

const one = (p: number, delayed: 0 | 1) => ({ p, flights: 1, delayed });

test('AUC is the share of pairs in the right order, ties counting half', (t) => {
  t.is(auc([one(0.1, 0), one(0.2, 1), one(0.3, 0), one(0.4, 1)]), 0.75);
  t.is(auc([one(0.3, 0), one(0.3, 1)]), 0.5);
});

test('a group of like flights counts as that many flights', (t) => {
  const group = [{ p: 0.2, flights: 3, delayed: 1 }, one(0.6, 1)];
  const single = [one(0.2, 1), one(0.2, 0), one(0.2, 0), one(0.6, 1)];
  t.is(auc(group), auc(single));
  t.true(Math.abs(brier(group) - brier(single)) < 1e-12);
});

test('Brier is the mean squared distance, and skill what of the base rate it saves', (t) => {
  const cases = [one(0.8, 1), one(0.4, 0)];
  t.true(Math.abs(brier(cases) - (0.04 + 0.16) / 2) < 1e-12);
  t.true(Math.abs(figuresOf(cases, 0.5).skill - (1 - 0.1 / 0.25)) < 1e-12);
});

test('the bins of a reliability curve hold equal numbers, cutting a group where they must', (t) => {
  const bins = reliability([{ p: 0.1, flights: 3, delayed: 0 }, one(0.7, 1)], 2);
  t.deepEqual(
    bins.map(({ flights, observed }) => [flights, observed]),
    [
      [2, 0],
      [2, 0.5],
    ],
  );
  t.true(Math.abs((bins[1]?.forecast ?? 0) - 0.4) < 1e-12);
});

test('a wrong level alone leaves no calibration error at the own level', (t) => {
  const cases = [
    { p: 0.5, flights: 100, delayed: 20 },
    { p: 0.5, flights: 100, delayed: 20 },
  ];
  const { ece, eceAtOwnLevel } = figuresOf(cases, 0.5);
  t.true(Math.abs(ece - 0.3) < 1e-9);
  t.true(eceAtOwnLevel < 1e-9);
});
