import test from 'ava';
import { intervalBodyOf, outlookBodyOf } from '../../../api/presenters/outlook-body.ts';
import { intervalBody, outlookBody } from '../../../api/schemas/outlook.ts';
import { assessFlight } from '../../../models/score.ts';
import { aStore } from '../../helpers/store.ts';
import { aModel } from '../helpers/model.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-12-22' };

test('the outlook is ordered by delay, and its shares of four decimals add up to 1', async (t) => {
  const { model } = aModel();
  const body = outlookBodyOf(assessFlight(QUERY, aStore(), { mlProbability: 0.12345 }), model);
  t.notThrows(() => outlookBody.parse(body));
  t.deepEqual(Object.entries(body ?? {}), [
    ['under_15', 0.7745],
    ['from_15_to_30', 0.086],
    ['from_30_to_60', 0.0618],
    ['from_60_to_120', 0.037],
    ['over_120', 0.0247],
    ['cancelled', 0.016],
  ]);
});

test('an answer without an ML part has no outlook, but an interval of its score', async (t) => {
  const { model } = aModel();
  const assessment = assessFlight(QUERY, aStore(), {});
  t.is(outlookBodyOf(assessment, model), null);
  t.is(outlookBodyOf(assessment, undefined), null);
  const body = intervalBodyOf(assessment, aStore());
  t.notThrows(() => intervalBody.parse(body));
  t.is(body?.ml_probability, null);
});

test('the intervals have the units of their values: percent and points', async (t) => {
  const assessment = assessFlight(QUERY, aStore(), { mlProbability: 0.2 });
  const body = intervalBodyOf(assessment, aStore());
  t.notThrows(() => intervalBody.parse(body));
  t.is(body?.level, 0.9);
  // 980 flights on the route and a prior worth 50: 1.645 standard errors of 1.25 %.
  const { low, high } = body?.ml_probability ?? { low: 0, high: 0 };
  t.true(Math.abs(low - 17.98) < 0.1 && Math.abs(high - 22.08) < 0.1);
  t.true(body !== null && body.low < assessment.score && assessment.score < body.high);
});

test('without evidence of route, airports or airline there is no interval', (t) => {
  const assessment = assessFlight({ ...QUERY, dest: 'AKL' }, aStore(), {});
  t.is(intervalBodyOf(assessment, aStore()), null);
});
