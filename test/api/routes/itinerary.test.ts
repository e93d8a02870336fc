import test from 'ava';
import { TRIP_EXAMPLES } from '../../../api/openapi/trip-examples.ts';
import { itineraryBody, type ItineraryBody } from '../../../api/schemas/itinerary.ts';
import { assessFlight } from '../../../models/score.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { combineStores } from '../../../warehouse/store/parts.ts';
import { aBrandStore } from '../../helpers/brand-store.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const FIRST = 'JFK-LAX-AA-2026-03-20T08:00-11:15';
const SECOND = 'LAX-JFK-AA-2026-03-20T12:45-21:10';

const itineraryUrl = (legs: readonly string[], changes: Record<string, string> = {}) =>
  `/api/itinerary?${new URLSearchParams({ legs: legs.join(','), api_key: SOME_KEY, ...changes })}`;

const withModel: Partial<ApiDeps> = {
  assess: (query, store, live) => assessFlight(query, store, { ...live, mlProbability: 0.2 }),
};

const answer = async (
  legs: readonly string[],
  changes: Record<string, string> = {},
  deps: Partial<ApiDeps> = withModel,
) => (await anApi(deps)(itineraryUrl(legs, changes))).body as ItineraryBody;

test('the answer is the documented example', async (t) => {
  const { status, headers, body } = await anApi(withModel)(itineraryUrl([FIRST, SECOND]));
  t.is(status, 200);
  t.deepEqual(body as ItineraryBody, TRIP_EXAMPLES.itinerary);
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('the scores of the legs are those of /api/score', async (t) => {
  const call = anApi(withModel);
  const { legs } = await answer([FIRST, SECOND]);
  for (const { origin, destination: dest, airline, flight_date: date, dep_time, score } of legs) {
    const url = scoreUrl({ origin, dest, airline, date, dep_time });
    t.is((await call(url)).body['score'], score);
  }
});

test('each leg is scored from the record that has its route, as /api/score does', async (t) => {
  const hours = new Float32Array(24);
  hours[20] = 1_000;
  const abroad = {
    ...aStore({
      manifest: { provider: 'hkia' },
      routes: { 'LAX-AKL': someStats() },
      carriers: { 'LAX-AKL': [{ carrier: 'NZ', ...someStats() }] },
    }),
    departureHours: () => hours,
  };
  const store = combineStores(aStore(), [abroad]);
  const deps: Partial<ApiDeps> = {
    stores: { current: () => store },
    assess: (query, from, live) =>
      assessFlight(query, from, from === store ? { ...live, mlProbability: 0.2 } : live),
  };
  const legs = [FIRST, 'LAX-AKL-NZ-2026-03-20T18:30'];
  const body = await answer(legs, {}, deps);
  const flight = { origin: 'LAX', dest: 'AKL', airline: 'NZ', date: '2026-03-20' };
  const single = await anApi(deps)(scoreUrl({ ...flight, dep_time: '18:30' }));
  t.like(single.body, { data_provider: 'hkia' });
  t.is(body.legs[1]?.score, single.body['score'] as number);
  t.is(body.connections[0]?.next_dep_time, '20:00');
  // The flight from the other record has no model, so the trip has no outcome.
  t.deepEqual([body.legs[0]?.ml_probability, body.legs[1]?.ml_probability], [20, null]);
  t.like(body, { outcome: null, weakest: null });
  const withoutPart = await answer(legs, {}, { ...deps, stores: { current: () => aStore() } });
  t.not(body.legs[1]?.score, withoutPart.legs[1]?.score);
});

test('without a model, scores remain and probabilities are null', async (t) => {
  const body = await answer([FIRST, SECOND], {}, {});
  t.notThrows(() => itineraryBody.parse(body));
  t.like(body, { outcome: null, weakest: null });
  t.deepEqual([body.legs[0]?.lost, body.connections[0]?.missed], [null, null]);
});

test('a call costs one per leg', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  const third = 'JFK-LAX-DL-2026-03-21T08:00-11:15';
  await call(itineraryUrl([FIRST, SECOND]));
  t.is(keys.counted, 2);
  await call(itineraryUrl([FIRST, SECOND, third]));
  t.is(keys.counted, 5);
});

test('minimum connecting times depend on tickets and borders, and a caller may choose them', async (t) => {
  const connection = async (changes: Record<string, string>, legs = [FIRST, SECOND]) => {
    const [{ minimum_min, minimum_kind, missed } = {}] = (await answer(legs, changes)).connections;
    return { minimum_min, minimum_kind, missed: missed ?? NaN };
  };
  const ours = await connection({});
  t.like(ours, { minimum_min: 45, minimum_kind: 'domestic' });
  const separate = await connection({ tickets: 'separate' });
  t.like(separate, { minimum_min: 150, minimum_kind: 'separate_tickets' });
  t.true(separate.missed > 0.5);
  const requested = await connection({ mct: '0', tickets: 'separate' });
  t.like(requested, { minimum_min: 0, minimum_kind: 'requested' });
  t.true(requested.missed < ours.missed);
  const abroad = [FIRST, 'LAX-AKL-NZ-2026-03-20T21:30-05:30'];
  t.like(await connection({}, abroad), { minimum_min: 60, minimum_kind: 'to_abroad' });
});

test('an arrival without a time is estimated, and may be on the next day', async (t) => {
  const { legs, connections } = await answer([
    'LAX-JFK-AA-2026-03-20T21:00',
    'JFK-LAX-DL-2026-03-21T08:00',
  ]);
  t.like(legs[0], { arr_date: '2026-03-21', is_arrival_estimated: true });
  t.regex(legs[0]?.arr_time ?? '', /^05:\d\d$/);
  t.true((connections[0]?.planned_min ?? 0) > 120);
});

test('a later flight of the airline is offered, and shortens the delay after a missed connection', async (t) => {
  const hours = new Float32Array(24);
  [hours[12], hours[15]] = [300, 300];
  const store = { ...aStore(), departureHours: () => hours };
  const stats = { months: ['2025-01', '2025-02'] };
  const busy = { ...store, manifest: { ...store.manifest, ...stats } };
  const withHours = await answer(
    [FIRST, SECOND],
    {},
    { ...withModel, stores: { current: () => busy } },
  );
  const next_flight = { hour: 15, dep_time: null, flight_number: null };
  t.like(withHours.connections[0], { next_dep_time: '15:00', next_flight });
  const without = await answer([FIRST, SECOND]);
  t.like(without.connections[0], { next_dep_time: null, next_flight: null });
  t.true((withHours.outcome?.not_arriving ?? 1) < (without.outcome?.not_arriving ?? 0) - 0.05);
});

test('later flights of a brand are those of its operators today, each averaged over its own months', async (t) => {
  const sold = aBrandStore();
  const [envoy, republic] = sold.brand('JFK', 'LAX', 'AA')!.operators;
  const operators = [
    // One flight a day in 2018, 1.5 flights a day in two months of 2025.
    { ...envoy!, stats: someStats({ flightCount: 365 }) },
    { ...republic!, stats: someStats({ flightCount: 91 }) },
  ].map((one, at) => ({
    ...one,
    hours: Float32Array.from({ length: 24 }, (_, hour) => (hour === [16, 18][at] ? 1 : 0)),
    months: [
      { first: '2018-01', last: '2018-12' },
      { first: '2025-01', last: '2025-02' },
    ][at]!,
  }));
  const months = Array.from({ length: 12 }, (_, at) => `2018-${String(at + 1).padStart(2, '0')}`);
  const store = {
    ...sold,
    manifest: { ...sold.manifest, months: [...months, '2025-01', '2025-02'] },
    carriersOnRoute: () => [{ carrier: 'YX', ...someStats() }],
    recordMonths: () => ({ first: '2018-01', last: '2025-02' }),
    brand: () => ({
      ...sold.brand('JFK', 'LAX', 'AA')!,
      operators,
      months: { first: '2018-01', last: '2025-02' },
    }),
  };
  const body = await answer([FIRST, SECOND], {}, { stores: { current: () => store } });
  t.is(body.connections[0]?.next_dep_time, '18:00');
});

test('bad legs are refused by their number and not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  for (const [legs, status, error, message] of [
    [[FIRST], 400, 'invalid_parameter', 'legs must be 2 to 4 flights'],
    [[FIRST, SECOND, FIRST, SECOND, FIRST], 400, 'invalid_parameter', 'legs must be 2 to 4'],
    [[FIRST, 'LAX'], 400, 'missing_parameter', 'Leg 2: dest is missing'],
    [[FIRST, 'LAX-JFK-AA-2026-03-20'], 400, 'missing_parameter', 'Leg 2: dep_time is missing'],
    [[FIRST, 'LAX-JFK-AA-2026-03-20T25:00'], 400, 'invalid_parameter', 'Leg 2: dep_time must be'],
    [[FIRST, 'LAX-JFK-AA-2026-03-20T12:45-9'], 400, 'invalid_parameter', 'Leg 2: arr_time must be'],
    [[FIRST, 'LAX-ZZZ-AA-2026-03-20T12:45'], 404, 'unknown_airport', 'Leg 2: No airport'],
    [[FIRST, FIRST], 400, 'invalid_parameter', 'Leg 2: departs from JFK, but'],
    [[FIRST, 'LAX-JFK-AA-2026-03-20T11:00'], 400, 'invalid_parameter', 'Leg 2: departs 15 minutes'],
    [[FIRST, 'LAX-JFK-AA-2026-03-22T11:00'], 400, 'invalid_parameter', 'Leg 2: departs more than'],
    [['JFK-LAX-AA-2020-01-01T08:00', SECOND], 400, 'invalid_parameter', 'Leg 1: date must be'],
  ] as const) {
    const { status: actual, body } = await call(itineraryUrl(legs));
    t.like({ status: actual, ...body }, { status, error, param: 'legs' }, message);
    t.true(String(body['message']).startsWith(message), String(body['message']));
  }
  t.is(keys.counted, 0);
});
