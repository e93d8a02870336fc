import test from 'ava';
import { aucOf, meanBrier, figuresOf, reliabilityBins } from '../../../models/evaluate/metrics.ts';

const flight = (p: number, delayed: 0 | 1) => ({ p, flights: 1, delayed });

test('AUC is the share of pairs in the right order; ties count half', (t) => {
  t.is(aucOf([flight(0.1, 0), flight(0.2, 1), flight(0.3, 0), flight(0.4, 1)]), 0.75);
  t.is(aucOf([flight(0.3, 0), flight(0.3, 1)]), 0.5);
});

test('a group of flights gives the same figures as its single flights', (t) => {
  const group = [{ p: 0.2, flights: 3, delayed: 1 }, flight(0.6, 1)];
  const single = [flight(0.2, 1), flight(0.2, 0), flight(0.2, 0), flight(0.6, 1)];
  t.is(aucOf(group), aucOf(single));
  t.true(Math.abs(meanBrier(group) - meanBrier(single)) < 1e-12);
});

test('Brier is the mean squared error, and skill its improvement over the base rate', (t) => {
  const cases = [flight(0.8, 1), flight(0.4, 0)];
  t.true(Math.abs(meanBrier(cases) - (0.04 + 0.16) / 2) < 1e-12);
  t.true(Math.abs(figuresOf(cases, 0.5).skill - (1 - 0.1 / 0.25)) < 1e-12);
});

test('the bins of a reliability curve have equal size; a group may be split', (t) => {
  const bins = reliabilityBins([{ p: 0.1, flights: 3, delayed: 0 }, flight(0.7, 1)], 2);
  t.deepEqual(
    bins.map(({ flights, observed }) => [flights, observed]),
    [
      [2, 0],
      [2, 0.5],
    ],
  );
  t.true(Math.abs((bins[1]?.forecast ?? 0) - 0.4) < 1e-12);
});

test('if only the level of a forecast is wrong, it has no calibration error after the level is corrected', (t) => {
  const cases = [
    { p: 0.5, flights: 100, delayed: 20 },
    { p: 0.5, flights: 100, delayed: 20 },
  ];
  const { ece, eceAtOwnLevel } = figuresOf(cases, 0.5);
  t.true(Math.abs(ece - 0.3) < 1e-9);
  t.true(eceAtOwnLevel < 1e-9);
});
