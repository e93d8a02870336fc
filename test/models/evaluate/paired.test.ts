import test from 'ava';
import { aucOf, meanBrier } from '../../../models/evaluate/metrics.ts';
import { pairedFigures, type PairedCase } from '../../../models/evaluate/paired.ts';

/** Flights of three days, with ties within and across days. */
const CASES: PairedCase[] = [
  { cluster: 'a', flights: 4, delayed: 1, ours: 0.2, theirs: 0.3 },
  { cluster: 'a', flights: 3, delayed: 2, ours: 0.4, theirs: 0.3 },
  { cluster: 'b', flights: 5, delayed: 1, ours: 0.2, theirs: 0.1 },
  { cluster: 'b', flights: 2, delayed: 1, ours: 0.7, theirs: 0.2 },
  { cluster: 'c', flights: 6, delayed: 3, ours: 0.4, theirs: 0.6 },
];

const isNear = (actual: number, expected: number) => Math.abs(actual - expected) < 1e-12;

const withP = (cases: PairedCase[], forecaster: 'ours' | 'theirs') =>
  cases.map((one) => ({ ...one, p: one[forecaster] }));

test('each figure equals the metric of one forecast, and the difference is our figure minus the other', (t) => {
  const { n, clusters, auc: area, brier: loss } = pairedFigures(CASES);
  t.deepEqual([n, clusters], [20, 3]);
  t.true(isNear(area.ours, aucOf(withP(CASES, 'ours'))));
  t.true(isNear(area.theirs, aucOf(withP(CASES, 'theirs'))));
  t.true(
    isNear(loss.difference, meanBrier(withP(CASES, 'ours')) - meanBrier(withP(CASES, 'theirs'))),
  );
});

test('the noise is the jackknife error over the days', (t) => {
  const { auc: area, brier: loss } = pairedFigures(CASES);
  for (const [figure, { noise }] of [[aucOf, area] as const, [meanBrier, loss] as const]) {
    const leaveOneOut = ['a', 'b', 'c'].map((day) => {
      const otherDays = CASES.filter(({ cluster }) => cluster !== day);
      return figure(withP(otherDays, 'ours')) - figure(withP(otherDays, 'theirs'));
    });
    const mean = leaveOneOut.reduce((sum, one) => sum + one, 0) / 3;
    const squares = leaveOneOut.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    t.true(isNear(noise, Math.sqrt((2 / 3) * squares)));
  }
});

test('a forecast compared with itself has no difference and no noise', (t) => {
  const same = CASES.map((one) => ({ ...one, theirs: one.ours }));
  const { auc: area, brier: loss, logLoss } = pairedFigures(same);
  for (const { difference, noise } of [area, loss, logLoss]) {
    t.deepEqual([difference, noise], [0, 0]);
  }
});

test('with a single day the noise is NaN', (t) => {
  const { brier: loss } = pairedFigures(CASES.filter(({ cluster }) => cluster === 'a'));
  t.true(Number.isFinite(loss.difference));
  t.is(loss.noise, Number.NaN);
});
