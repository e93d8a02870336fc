import test from 'ava';
import { expectationError } from '../../../../jobs/cli/fit/expectation-error.ts';
import { toMarkCases, regionOf, sealMarks } from '../../../../jobs/cli/fit/marks.ts';
import { scaleLines } from '../../../../jobs/cli/fit/score-report.ts';
import { spreadOf, VALUE_BINS } from '../../../../jobs/cli/fit/score-spread.ts';
import { missesOf } from '../../../../models/train/score-marks.ts';
import { ranksOf } from '../../../../pipelines/model/ranks.ts';
import { switchOffEffect } from '../../../../pipelines/model/switched-off.ts';
import { sha256 } from '../../../../warehouse/ground/hashes.ts';
import { expit, logit } from '../../../../warehouse/ground/log-odds.ts';
import { aScoredOutcome } from '../../../helpers/scored-outcomes.ts';
import { aStore, effectTable } from '../../../helpers/store.ts';

const MANY = { completed_count: 3_000, delayed_count: 300, cancelled_count: 0 };
const CALM = aScoredOutcome(MANY);
/**
 * Has a third as many flights as CALM, no date, and a score in the highest band. A quarter of the flights were late or
 * cancelled.
 */
const STORMY = aScoredOutcome(
  {
    ...{ completed_count: 900, delayed_count: 150, cancelled_count: 100 },
    ...{ dated_by: 'month', local_hour: null },
  },
  { blend: 82, logOdds: 0 },
);
const FEW = aScoredOutcome({ completed_count: 40, dated_by: 'weekday' }, { blend: 50 });

const SCORED = [CALM, STORMY, FEW];

test('outcomes are weighted by flights, and scores with few flights have no observed share', (t) => {
  const { flights, scores, values, came } = spreadOf(SCORED, aStore());
  t.is(flights, 4_040);
  t.deepEqual([scores.blend[10], scores.blend[50], scores.blend[82]], [0.74257, 0.0099, 0.24752]);
  t.is(scores.alone.length, 101);
  for (const shares of Object.values(values)) {
    t.is(shares.length, VALUE_BINS);
    t.true(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-3);
  }
  t.deepEqual(came, [
    { score: 12.5, disrupted: 0.1 },
    { score: 82.5, disrupted: 0.25 },
  ]);
});

test('the report has the bands with and without the model, the effect of switching the model off, and the error without an hour', (t) => {
  const [bands = '', , ...sentences] = scaleLines({
    spread: spreadOf(SCORED, aStore()),
    ranks: ranksOf(SCORED),
    switchedOff: switchOffEffect(SCORED),
    hours: { airlineRoutes: 1_234, mean: 0.0181, max: 0.1919 },
  });
  t.regex(bands, /│ Low +│ .* % +│ 74\.3 %/);
  t.regex(bands, /│ Very High +│ .* % +│ 24\.8 %/);
  t.regex(sentences[0] ?? '', /^Without the model, .* % to another band, .* % by two bands\.$/);
  t.regex(
    sentences[1] ?? '',
    /of 1,234 airline-routes are off by 0\.018 on average and 0\.192 at most\.$/,
  );
});

test('the expectation without an hour is exact if the hours have equal odds, and has an error from convexity otherwise', (t) => {
  const flight = { origin: 'JFK', dest: 'LAX', carrier: 'AA' };
  const hours = Float32Array.from({ length: 24 }, (_, hour) => (hour === 8 || hour === 17 ? 5 : 0));
  const store = { ...aStore(), airlineRoutes: () => [flight], departureHours: () => hours };
  const even = expectationError(store);
  t.is(even.airlineRoutes, 1);
  t.true(even.max < 1e-9, String(even.max));
  const uneven = expectationError({ ...store, effects: effectTable({ 'hour 17': 3 }) });
  t.true(uneven.max > 0.01 && uneven.max < 0.5, String(uneven.max));
  t.is(uneven.mean, uneven.max);
});

test('the marks are fitted on flights with the full weight of the model; flights of the seed are split by region', (t) => {
  t.deepEqual(toMarkCases(CALM), [
    { logOdds: -2, mlProbability: 0.1, flights: 3_000, disrupted: 300 },
  ]);
  t.deepEqual(toMarkCases({ ...CALM, confidence: 0.4 }), []);
  t.deepEqual(toMarkCases(aScoredOutcome({ completed_count: 0 })), []);
  const from = (longitude: number) => {
    const airport = { ...aStore().airport('JFK')!, longitude };
    return regionOf(CALM, { ...aStore(), airport: () => airport }, 'seed');
  };
  t.deepEqual([from(-118), from(-95), from(-74)], [', West', ', middle', ', East']);
  t.is(regionOf(CALM, aStore(), 'nyc_2017.parquet'), '');
});

test('marks are rounded and sealed, with the observed minus target log-odds of each fold', (t) => {
  const fold = Array.from({ length: 400 }, (_, at) => {
    const logOdds = -4.5 + at / 80;
    const disrupted = 1_000 * expit(logOdds);
    return { logOdds, mlProbability: expit(logOdds), flights: 1_000, disrupted };
  });
  const mark = { zeroRate: 0.021_234, pointsPerDoubling: 15.678 };
  const { seal, ...content } = sealMarks({ withModel: mark, alone: mark }, { fold, none: [] });
  t.is(seal, sha256(JSON.stringify(content)));
  t.deepEqual(content.marks.alone, { zeroRate: 0.0212, pointsPerDoubling: 15.7 });
  const { logOddsBeyond } = content.provenance;
  const missed = missesOf([fold], content.marks.withModel);
  t.deepEqual(
    logOddsBeyond['fold'],
    missed.map((miss) => miss.toFixed(2)),
  );
  t.deepEqual(logOddsBeyond['none'], [null, null, null]);
  t.true(missed.every((miss) => Math.abs(miss) < logit(0.9)));
});
