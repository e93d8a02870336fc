import test from 'ava';
import { expectationError } from '../../../../jobs/cli/fit/expectation-error.ts';
import { caseOf, regionOf, sealed } from '../../../../jobs/cli/fit/marks.ts';
import { scaleLines } from '../../../../jobs/cli/fit/score-report.ts';
import { spreadOf, VALUE_BINS } from '../../../../jobs/cli/fit/score-spread.ts';
import { missesOf } from '../../../../models/train/score-marks.ts';
import { ranksOf } from '../../../../pipelines/model/ranks.ts';
import { switchedOff } from '../../../../pipelines/model/switched-off.ts';
import { sha256 } from '../../../../warehouse/ground/sha256.ts';
import { expit, logit } from '../../../../warehouse/ground/log-odds.ts';
import { someFlights } from '../../../helpers/scored.ts';
import { aStore, someEffects } from '../../../helpers/store.ts';

const MANY = { completed_count: 3_000, delayed_count: 300, cancelled_count: 0 };
const CALM = someFlights(MANY);
/** A third as many, with a score in the highest band, whose day nobody knows; a quarter came late or not at all. */
const STORMY = someFlights(
  {
    ...{ completed_count: 900, delayed_count: 150, cancelled_count: 100 },
    ...{ dated_by: 'month', local_hour: null },
  },
  { blend: 82, logOdds: 0 },
);
const FEW = someFlights({ completed_count: 40, dated_by: 'weekday' }, { blend: 50 });

const SCORED = [CALM, STORMY, FEW];

test('flights are spread by their number, and few at a score tell nothing of it', (t) => {
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

test('what is told of the scores: bands with and without the model, and what is missing', (t) => {
  const [bands = '', , ...sentences] = scaleLines({
    spread: spreadOf(SCORED, aStore()),
    ranks: ranksOf(SCORED),
    switchedOff: switchedOff(SCORED),
    hours: { airlineRoutes: 1_234, mean: 0.0181, most: 0.1919 },
  });
  t.regex(bands, /│ Low +│ .* % +│ 74\.3 %/);
  t.regex(bands, /│ Very High +│ .* % +│ 24\.8 %/);
  t.regex(sentences[0] ?? '', /^Without the model .* % to another band, .* % by two\.$/);
  t.regex(
    sentences[1] ?? '',
    /of 1,234 airline-routes are off by 0\.018 on average and 0\.192 at most\.$/,
  );
});

test('where hours do not differ the expectation is right; where they do, it errs by what convexity takes', (t) => {
  const flight = { origin: 'JFK', dest: 'LAX', carrier: 'AA' };
  const hours = Float32Array.from({ length: 24 }, (_, hour) => (hour === 8 || hour === 17 ? 5 : 0));
  const store = { ...aStore(), airlineRoutes: () => [flight], departureHours: () => hours };
  const even = expectationError(store);
  t.is(even.airlineRoutes, 1);
  t.true(even.most < 1e-9, String(even.most));
  const uneven = expectationError({ ...store, effects: someEffects({ 'hour 17': 3 }) });
  t.true(uneven.most > 0.01 && uneven.most < 0.5, String(uneven.most));
  t.is(uneven.mean, uneven.most);
});

test('the marks are fitted on flights the model has its full share in, of the seed by region', (t) => {
  t.deepEqual(caseOf(CALM), [{ logOdds: -2, mlProbability: 0.1, flights: 3_000, disrupted: 300 }]);
  t.deepEqual(caseOf({ ...CALM, confidence: 0.4 }), []);
  t.deepEqual(caseOf(someFlights({ completed_count: 0 })), []);
  const from = (longitude: number) => {
    const airport = { ...aStore().airport('JFK')!, longitude };
    return regionOf(CALM, { ...aStore(), airport: () => airport }, 'seed');
  };
  t.deepEqual([from(-118), from(-95), from(-74)], [', West', ', middle', ', East']);
  t.is(regionOf(CALM, aStore(), 'nyc_2017.parquet'), '');
});

test('marks are kept rounded, with what came beyond what is meant in each fold, and sealed', (t) => {
  const fold = Array.from({ length: 400 }, (_, at) => {
    const logOdds = -4.5 + at / 80;
    const disrupted = 1_000 * expit(logOdds);
    return { logOdds, mlProbability: expit(logOdds), flights: 1_000, disrupted };
  });
  const mark = { zeroRate: 0.021_234, pointsPerDoubling: 15.678 };
  const { seal, ...content } = sealed({ withModel: mark, alone: mark }, { fold, none: [] });
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
