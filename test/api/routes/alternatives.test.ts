import test from 'ava';
import { TRIP_EXAMPLES } from '../../../api/openapi/trip-examples.ts';
import { alternativesBody, type AlternativesBody } from '../../../api/schemas/alternatives.ts';
import { aStore } from '../../helpers/store.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const alternativesUrl = (changes: Record<string, string> = {}) =>
  `/api/alternatives?${new URLSearchParams({
    ...{ origin: 'jfk', dest: 'lax', airline: 'aa', date: '2026-03-20', api_key: SOME_KEY },
    ...changes,
  })}`;

const airports = ['JFK', 'EWR', 'LGA', 'LAX', 'SNA', 'ONT', 'BUR', 'LGB'].map((iata) => ({
  ...(aStore().airport(iata) ?? aStore().airport('JFK')!),
  iata,
}));

test('the answer is the documented example', async (t) => {
  const call = anApi({ stores: { current: () => aStore({ airports }) } });
  const { status, headers, body } = await call(alternativesUrl({ origin: 'nyc' }));
  t.is(status, 200);
  t.deepEqual(body as AlternativesBody, TRIP_EXAMPLES.alternatives);
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('every score is the score of /api/score', async (t) => {
  const store = { ...aStore({ airports }), weekdayOdds: (day: number) => (day === 7 ? 0.3 : 1.2) };
  const call = anApi({ stores: { current: () => store } });
  const { body } = await call(alternativesUrl());
  t.notThrows(() => alternativesBody.parse(body));
  const { flight, alternatives } = body as AlternativesBody;
  t.true(alternatives.some(({ change }) => change === 'day'));
  for (const one of [flight, ...alternatives]) {
    const url = scoreUrl({ airline: one.airline, date: one.flight_date });
    const { score, label } = (await call(url)).body;
    t.deepEqual([one.score, one.label], [score, label] as never);
  }
});

test('a call costs one per ten rows of the limit, which also limits the answer', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys, stores: { current: () => aStore({ airports }) } });
  for (const [limit, cost] of [
    ['', 1],
    ['1', 1],
    ['10', 1],
    ['11', 2],
    ['50', 5],
  ] as const) {
    const before = keys.counted;
    const { body } = await call(alternativesUrl({ limit }));
    t.is(keys.counted - before, cost, limit);
    t.is((body['alternatives'] as unknown[]).length, 1);
  }
});

test('unknown places, equal ends and bad limits are refused and not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  for (const [changes, status, error, param] of [
    [{ origin: 'zzz' }, 404, 'unknown_airport', 'origin'],
    [{ dest: 'lon' }, 404, 'unknown_airport', 'dest'],
    [{ dest: 'jfk' }, 400, 'invalid_parameter', 'dest'],
    [{ origin: 'nyc', dest: 'nyc' }, 400, 'invalid_parameter', 'dest'],
    [{ origin: 'nyc', dest: 'jfk' }, 400, 'invalid_parameter', 'dest'],
    [{ airline: '00' }, 404, 'unknown_airline', 'airline'],
    [{ limit: '0' }, 400, 'invalid_parameter', 'limit'],
    [{ limit: '51' }, 400, 'invalid_parameter', 'limit'],
    [{ date: '2020-01-01' }, 400, 'invalid_parameter', 'date'],
  ] as const) {
    t.like(await call(alternativesUrl(changes)), { status, body: { error, param } });
  }
  t.is(keys.counted, 0);
});
