import test from 'ava';
import { measure } from '../../../pipelines/model/measure.ts';
import { curvesOf } from '../../../pipelines/model/score-curves.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import {
  USUAL_FLIGHTS,
  LATE_FLIGHTS,
  measureOutcomes,
  aScoredOutcome,
} from '../../helpers/scored-outcomes.ts';
import { expectedLevel } from '../../../models/effect-odds.ts';

const isNear = (actual: number, expected: number) => Math.abs(actual - expected) < 1e-12;

test('the figures of twenty flights match a calculation by hand', (t) => {
  const { n, forecast, observed, auc, logLoss, brier, skill, ece } = measureOutcomes([
    USUAL_FLIGHTS,
    LATE_FLIGHTS,
  ]).linear.with_dep_time;
  t.is(n, 20);
  t.true(isNear(forecast, 0.15));
  t.true(isNear(observed, 0.2));
  // There are 4 x 16 pairs: 3 x 9 are in order, 3 x 7 and 1 x 9 are tied, and 1 x 7 are out of order.
  t.true(isNear(auc, (27 + 10.5 + 4.5) / 64));
  t.true(isNear(brier, (1 * 0.81 + 9 * 0.01 + 3 * 0.64 + 7 * 0.04) / 20));
  t.true(isNear(skill, 1 - 3.1 / (4 * 0.5625 + 16 * 0.0625)));
  const logs = Math.log(0.1) + 9 * Math.log(0.9) + 3 * Math.log(0.2) + 7 * Math.log(0.8);
  t.true(isNear(logLoss, -logs / 20));
  // Ten forecasts are right, and ten are off by 0.1. Both kinds share a bin, so the bin is off by 0.05.
  t.true(isNear(ece, 0.05));
});

test('a band counts cancelled flights, and has no disrupted share without flights', (t) => {
  t.deepEqual(measureOutcomes([USUAL_FLIGHTS, LATE_FLIGHTS]).bands.with_dep_time, [
    { label: 'Low', n: 10, share: 10 / 22, disrupted: 0.1 },
    { label: 'Moderate', n: 12, share: 12 / 22, disrupted: 5 / 12 },
    { label: 'High', n: 0, share: 0, disrupted: null },
    { label: 'Very High', n: 0, share: 0, disrupted: null },
  ]);
});

test('tiers count cancelled flights, for all airlines together and for each airline', (t) => {
  t.deepEqual(measureOutcomes([USUAL_FLIGHTS, LATE_FLIGHTS]).tiers, [
    { airline: 'all', n: 22, exact: 10 / 22, route_any_airline: 12 / 22, no_data: 0 },
    { airline: 'AA', n: 10, exact: 1, route_any_airline: 0, no_data: 0 },
    { airline: 'DL', n: 12, exact: 0, route_any_airline: 1, no_data: 0 },
  ]);
});

test('groups are by month, tier, airline and days from the cut', (t) => {
  const later = aScoredOutcome({ carrier: 'AA', flight_date: '2018-09-05' });
  const { by } = measureOutcomes([later, USUAL_FLIGHTS, LATE_FLIGHTS]);
  t.deepEqual(Object.keys(by.month), ['2018-08', '2018-09']);
  t.deepEqual(Object.keys(by.tier), ['exact', 'route_any_airline']);
  t.deepEqual(Object.keys(by.airline), ['AA', 'DL']);
  t.deepEqual(Object.keys(by.horizon), ['0-6 days', '7-29 days', '30-89 days']);
  t.is(by.airline.DL?.blend?.n, 10);
  t.true(isNear(by.airline.DL?.blend?.forecast ?? 0, 0.4));
});

test('groups without a delayed flight and methods without a forecast are left out', (t) => {
  const punctual = aScoredOutcome({ carrier: 'HA', delayed_count: 0 });
  const { ml: _, ...withoutForecast } = aScoredOutcome({ carrier: 'WN' }, { tier: 'no_data' });
  const { airline, tier } = measureOutcomes([
    USUAL_FLIGHTS,
    LATE_FLIGHTS,
    punctual,
    withoutForecast,
  ]).by;
  t.deepEqual(Object.keys(airline), ['AA', 'DL', 'WN']);
  t.deepEqual(Object.keys(tier.no_data ?? {}), ['linear', 'blend']);
});

test('a curve has the model’s mean where the current level is known, else the rate expected after the history', (t) => {
  const rows = [USUAL_FLIGHTS, LATE_FLIGHTS];
  const past = { with_dep_time: rows, without_dep_time: rows };
  const slopes = { linear: 0.05, blend: 0.04 };
  const slopesByHours = { with_dep_time: slopes, without_dep_time: slopes };
  const flights = sum(rows.map(({ outcome }) => outcome.completed_count));
  const meanProbability = (isLevelNow: boolean) => {
    const { blend } = curvesOf(slopesByHours, past, { rate: 0.2, isLevelNow }).with_dep_time;
    return sum(rows.map((row) => row.outcome.completed_count * blend(row.blend))) / flights;
  };
  const modelMean = sum(rows.map(({ outcome, ml = 0 }) => outcome.completed_count * ml)) / flights;
  t.true(Math.abs(meanProbability(true) - modelMean) < 1e-9);
  t.true(Math.abs(meanProbability(false) - expit(expectedLevel(0.2))) < 1e-9);
});

test('AUC is computed from the score and does not depend on the curve', (t) => {
  const rows = {
    with_dep_time: [USUAL_FLIGHTS, LATE_FLIGHTS],
    without_dep_time: [USUAL_FLIGHTS, LATE_FLIGHTS],
  };
  const flat = { linear: () => 0.2, blend: () => 0.2 };
  const { linear } = measure({
    origins: ['2018-08-01'],
    baseRate: 0.25,
    scored: rows,
    plain: rows,
    curves: { with_dep_time: flat, without_dep_time: flat },
  });
  t.true(isNear(linear.with_dep_time.auc, 42 / 64));
  t.true(isNear(linear.with_dep_time.brier, (4 * 0.64 + 16 * 0.04) / 20));
});

test('plots have the bins of the probabilities and the ranks of the score', (t) => {
  const { reliability, ranking } = measureOutcomes([USUAL_FLIGHTS, LATE_FLIGHTS]).plots.blend
    .with_dep_time;
  t.is(reliability.length, 15);
  t.deepEqual(reliability[0], { flights: 1.33333, forecast: 0.1, observed: 0.1 });
  t.deepEqual(ranking, [
    { flights: 0, delayed: 0, onTime: 0 },
    { flights: 0.5, delayed: 0.75, onTime: 0.4375 },
    { flights: 1, delayed: 1, onTime: 1 },
  ]);
});
