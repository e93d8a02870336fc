import test from 'ava';
import { rankCorrelation } from '../../../models/evaluate/rank-correlation.ts';
import { scoreReliability } from '../../../models/score-reliability.ts';
import { tenthsOf } from '../../../pipelines/model/bands.ts';
import { ranksOf } from '../../../pipelines/model/ranks.ts';
import { scoreReliability as reliabilityOf } from '../../../pipelines/model/score-reliability.ts';
import { switchOffEffect } from '../../../pipelines/model/switched-off.ts';
import { USUAL_FLIGHTS, LATE_FLIGHTS, aScoredOutcome } from '../../helpers/scored-outcomes.ts';

test('equal ranks correlate by 1, and equal values share a rank', (t) => {
  t.is(rankCorrelation([1, 2, 3], [10, 40, 90]), 1);
  t.is(rankCorrelation([1, 2, 3], [3, 2, 1]), -1);
  // The ranks 0, 1.5, 1.5 and 3 are compared with 0, 1, 2 and 3. Their correlation is 4.5 / sqrt(4.5 * 5).
  t.true(Math.abs(rankCorrelation([1, 5, 5, 9], [1, 2, 3, 4]) - Math.sqrt(0.9)) < 1e-12);
  t.true(Number.isNaN(rankCorrelation([1, 1], [1, 2])));
});

/** An airline-route's hour; `late` is a percentage. */
const anHour = (hour: number, late: number, flights = 300) =>
  aScoredOutcome(
    { local_hour: hour, completed_count: flights, delayed_count: (flights * late) / 100 },
    { linear: hour, blend: -hour, ml: hour / 100 },
  );

test('hours are ranked by their outcomes, and hours with few flights are left out', (t) => {
  const hours = Array.from({ length: 22 }, (_, hour) => anHour(hour, hour));
  const [many, fewer] = ranksOf([...hours, anHour(23, 0, 299)]);
  t.like(many, { fewest: 300, groups: 22, linear: 1, blend: -1, ml: 1 });
  t.like(fewer, { fewest: 100, groups: 23 });
  t.like(ranksOf([anHour(23, 0, 299)])[0], { groups: 0, reach: null, linear: null, ml: null });
});

test('flights of an hour on several days count as one hour', (t) => {
  const days = Array.from({ length: 22 }, (_, hour) => [
    aScoredOutcome({ local_hour: hour, completed_count: 150 }),
    aScoredOutcome({ local_hour: hour, completed_count: 150, flight_date: '2018-08-02' }),
  ]).flat();
  t.is(ranksOf(days)[0]?.groups, 22);
});

test('the reach is the root of the share of variance that chance does not explain', (t) => {
  // Half of the hours are 10 % late, half 30 %. The variance is 0.01, of which (0.09 + 0.21) / 2 / 99 is chance.
  const halves = (flights: number) =>
    Array.from({ length: 22 }, (_, hour) => anHour(hour, hour % 2 === 0 ? 10 : 30, flights));
  const [, hundred] = ranksOf(halves(100));
  t.true(Math.abs((hundred?.reach ?? 0) - Math.sqrt(1 - 0.15 / 99 / 0.01)) < 1e-12);
  const equalHours = Array.from({ length: 22 }, (_, hour) => anHour(hour, 10));
  t.is(ranksOf(equalHours)[0]?.reach, null);
});

test('a tenth of the scale contains flights by their served score', (t) => {
  const tenths = tenthsOf([
    aScoredOutcome({}, { blend: 19.5 }),
    aScoredOutcome({}, { blend: 100 }),
  ]);
  t.deepEqual(
    tenths.filter(({ n }) => n > 0),
    [
      { from: 20, to: 29, n: 10, share: 0.5, disrupted: 0.1 },
      { from: 90, to: 100, n: 10, share: 0.5, disrupted: 0.1 },
    ],
  );
  t.is(tenths.length, 10);
});

test('the reliability of the score counts cancelled flights, is split by confidence, and fits the model’s schema', (t) => {
  const result = reliabilityOf([USUAL_FLIGHTS, { ...LATE_FLIGHTS, confidence: 0.49 }]);
  t.is(result.n, 22);
  t.is(result.disrupted, 6 / 22);
  const [low, full] = result.byConfidence;
  t.like(low?.bands[1], { label: 'Moderate', n: 12, share: 1, disrupted: 5 / 12 });
  t.like(full?.bands[0], { label: 'Low', n: 10, share: 1, disrupted: 0.1 });
  t.like(result.byMonth, [{ n: 22, disrupted: 6 / 22, bands: result.bands }]);
  t.deepEqual(scoreReliability.parse(result), result);
});

test('the effect of switching the model off is measured where the model has its full weight', (t) => {
  // Odds of 8 % give about 31 points without a model.
  const forecast = { logOdds: Math.log(0.08 / 0.92), ml: 0.08 };
  const rows = [
    aScoredOutcome({}, { ...forecast, blend: 32 }),
    aScoredOutcome({}, { ...forecast, blend: 60 }),
    aScoredOutcome({}, { ...forecast, blend: 80 }),
    aScoredOutcome({}, { ...forecast, blend: 99, confidence: 0.4 }),
    aScoredOutcome({}, { logOdds: -2, blend: 99, ml: undefined as never }),
  ];
  const { n, moved, twoBands } = switchOffEffect(rows);
  t.is(n, 30);
  t.true(Math.abs(moved - 2 / 3) < 1e-9);
  t.true(Math.abs(twoBands - 1 / 3) < 1e-9);
});
