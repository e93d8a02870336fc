import test from 'ava';
import { auc, brier } from '../../../models/evaluate/metrics.ts';
import { pairedFigures, type PairedCase } from '../../../models/evaluate/paired.ts';

/** Flights of three days; ties within and across the days. */
const CASES: PairedCase[] = [
  { cluster: 'a', flights: 4, delayed: 1, ours: 0.2, theirs: 0.3 },
  { cluster: 'a', flights: 3, delayed: 2, ours: 0.4, theirs: 0.3 },
  { cluster: 'b', flights: 5, delayed: 1, ours: 0.2, theirs: 0.1 },
  { cluster: 'b', flights: 2, delayed: 1, ours: 0.7, theirs: 0.2 },
  { cluster: 'c', flights: 6, delayed: 3, ours: 0.4, theirs: 0.6 },
];

const isNear = (actual: number, expected: number) => Math.abs(actual - expected) < 1e-12;

const withP = (cases: PairedCase[], said: 'ours' | 'theirs') =>
  cases.map((one) => ({ ...one, p: one[said] }));

test('each figure is that of the metrics, and the difference is ours less theirs', (t) => {
  const { n, clusters, auc: area, brier: loss } = pairedFigures(CASES);
  t.deepEqual([n, clusters], [20, 3]);
  t.true(isNear(area.ours, auc(withP(CASES, 'ours'))));
  t.true(isNear(area.theirs, auc(withP(CASES, 'theirs'))));
  t.true(isNear(loss.difference, brier(withP(CASES, 'ours')) - brier(withP(CASES, 'theirs'))));
});

test('the noise is that of the figures taken anew without each day in turn', (t) => {
  const { auc: area, brier: loss } = pairedFigures(CASES);
  for (const [figure, { noise }] of [[auc, area] as const, [brier, loss] as const]) {
    const without = ['a', 'b', 'c'].map((day) => {
      const left = CASES.filter(({ cluster }) => cluster !== day);
      return figure(withP(left, 'ours')) - figure(withP(left, 'theirs'));
    });
    const mean = without.reduce((sum, one) => sum + one, 0) / 3;
    const squares = without.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    t.true(isNear(noise, Math.sqrt((2 / 3) * squares)));
  }
});

test('a forecast held against itself differs by nothing, without noise', (t) => {
  const same = CASES.map((one) => ({ ...one, theirs: one.ours }));
  const { auc: area, brier: loss, logLoss } = pairedFigures(same);
  for (const { difference, noise } of [area, loss, logLoss]) {
    t.deepEqual([difference, noise], [0, 0]);
  }
});

test('a single day tells no noise', (t) => {
  const { brier: loss } = pairedFigures(CASES.filter(({ cluster }) => cluster === 'a'));
  t.true(Number.isFinite(loss.difference));
  t.is(loss.noise, Number.NaN);
});
