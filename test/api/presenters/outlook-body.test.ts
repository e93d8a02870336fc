import test from 'ava';
import {
  distributionBodyOf,
  intervalBodyOf,
  outlookBodyOf,
} from '../../../api/presenters/outlook-body.ts';
import { distributionBody } from '../../../api/schemas/distribution.ts';
import { intervalBody, outlookBody } from '../../../api/schemas/outlook.ts';
import type { ScoredFlight } from '../../../models/flight-curve.ts';
import { assessFlight } from '../../../models/score.ts';
import type { LiveInputs } from '../../../models/types.ts';
import { aStore } from '../../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };

function flightWith(live: LiveInputs): ScoredFlight {
  const store = aStore();
  return { query: QUERY, assessment: assessFlight(QUERY, store, live), store };
}

test('the outlook is ordered by delay, and its shares of four decimals add up to 1', (t) => {
  const body = outlookBodyOf(flightWith({ mlProbability: 0.12345 }));
  t.notThrows(() => outlookBody.parse(body));
  t.deepEqual(Object.entries(body ?? {}), [
    ['under_15', 0.7729],
    ['from_15_to_30', 0.0859],
    ['from_30_to_60', 0.0617],
    ['from_60_to_120', 0.0371],
    ['over_120', 0.0247],
    ['diverted', 0.0017],
    ['cancelled', 0.016],
    ['beyond_120', { from_120_to_180: 0.0136, over_180: 0.0111 }],
  ]);
});

test('the distribution has the probability of the model at 30 minutes, inside a band', (t) => {
  const body = distributionBodyOf(flightWith({ mlProbability: 0.12345 }));
  t.notThrows(() => distributionBody.parse(body));
  const late = body?.late ?? [];
  t.deepEqual(
    late.map(({ minutes }) => minutes),
    [15, 30, 45, 60, 90, 120, 180, 360],
  );
  t.is(late[1]?.probability, 0.1235);
  t.true(late.every(({ probability, low, high }) => low < probability && probability < high));
});

test('an answer without an ML part has no outlook, but an interval of its score', (t) => {
  t.is(outlookBodyOf(flightWith({})), null);
  t.is(distributionBodyOf(flightWith({})), null);
  const body = intervalBodyOf(assessFlight(QUERY, aStore(), {}), aStore());
  t.notThrows(() => intervalBody.parse(body));
  t.is(body?.ml_probability, null);
});

test('the intervals have the units of their values: percent and points', async (t) => {
  const assessment = assessFlight(QUERY, aStore(), { mlProbability: 0.2 });
  const body = intervalBodyOf(assessment, aStore());
  t.notThrows(() => intervalBody.parse(body));
  t.is(body?.level, 0.9);
  // With 980 flights on the route and a prior worth 50 flights, the standard error is 1.25 %. Each end of the interval
  // is 1.645 standard errors from the middle.
  const { low, high } = body?.ml_probability ?? { low: 0, high: 0 };
  t.true(Math.abs(low - 17.98) < 0.1 && Math.abs(high - 22.08) < 0.1);
  t.true(body !== null && body.low < assessment.score && assessment.score < body.high);
});

test('without evidence of route, airports or airline there is no interval', (t) => {
  const assessment = assessFlight({ ...QUERY, dest: 'AKL' }, aStore(), {});
  t.is(intervalBodyOf(assessment, aStore()), null);
});
