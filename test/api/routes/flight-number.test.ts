import test from 'ava';
import { calendarBody } from '../../../api/schemas/calendar.ts';
import { errorBody } from '../../../api/schemas/error.ts';
import { itineraryBody } from '../../../api/schemas/itinerary.ts';
import { scoreBody } from '../../../api/schemas/score.ts';
import { combineStores } from '../../../warehouse/store/parts.ts';
import type { NumberSchedule } from '../../../warehouse/store/number-schedule.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { anApi, SOME_KEY } from '../helpers/app.ts';

const AA1 = { origin: 'JFK', dest: 'LAX', carrier: 'AA', depTime: '08:15', arrTime: '11:40' };
const BACK = { origin: 'LAX', dest: 'JFK', carrier: 'AA', depTime: '13:00', arrTime: '21:20' };

const SCHEDULES: Record<string, NumberSchedule> = {
  AA1: { month: '2025-02', legs: [{ ...AA1, flightCount: 14 }] },
  AA2: { month: '2025-02', legs: [{ ...BACK, flightCount: 14 }] },
  B63: {
    month: '2025-01',
    legs: [{ origin: 'JFK', dest: 'LAX', carrier: 'B6', flightCount: 1 }],
  },
  NZ4567: {
    month: '2025-02',
    legs: [
      { ...AA1, flightCount: 14 },
      { ...BACK, flightCount: 9 },
    ],
  },
};

/** A store that knows flight numbers. */
function numbered(schedules = SCHEDULES, store = aStore()): ScoreStore {
  const months = Object.values(schedules).map(({ month }) => month);
  return {
    ...store,
    flightNumbers: {
      find: (airline, number) => schedules[`${airline}${number}`],
      onRoute: (airline, origin, dest) =>
        Object.entries(schedules).flatMap(([name, { legs }]) =>
          name.startsWith(airline)
            ? legs
                .filter((leg) => leg.origin === origin && leg.dest === dest)
                .map((leg) => ({ ...leg, number: Number(name.slice(2)) }))
            : [],
        ),
      newestMonth: months.toSorted().at(-1),
    },
  };
}

const call = (path: string, params: Record<string, string>, store = numbered()) =>
  anApi({ stores: { current: () => store } })(
    `${path}?${new URLSearchParams({ ...params, api_key: SOME_KEY })}`,
  );

const ON = { date: '2026-03-20' };
const ROUTE = { origin: 'JFK', dest: 'LAX', airline: 'AA', dep_time: '08:15' };

test('a flight number answers as its route, airline and usual time do, except in input', async (t) => {
  for (const flight of ['AA1', 'aa1', 'AA 1', 'AA0001', 'aa 01']) {
    const { status, body } = await call('/api/score', { flight, ...ON });
    t.is(status, 200, flight);
    t.notThrows(() => scoreBody.parse(body));
    const { body: byRoute } = await call('/api/score', { ...ROUTE, ...ON });
    const input = { flight_number: 'AA1', schedule_month: '2025-02' };
    const expected = { ...byRoute, input: { ...(byRoute['input'] as object), ...input } };
    t.is(JSON.stringify(body), JSON.stringify(expected));
  }
});

test('calendar, alternatives and batch accept a flight number', async (t) => {
  const number = { flight_number: 'AA1', schedule_month: '2025-02' };
  const calendar = await call('/api/calendar', { flight: 'AA1', month: '2026-04' });
  t.notThrows(() => calendarBody.parse(calendar.body));
  t.like(calendar.body, { origin: 'JFK', dest: 'LAX', airline: 'AA', ...number });
  const byRoute = await call('/api/calendar', { ...ROUTE, month: '2026-04' });
  t.deepEqual(calendar.body, { ...byRoute.body, ...number });

  const alternatives = await call('/api/alternatives', { flight: 'AA1', ...ON });
  t.like(alternatives.body, { flight: { origin: 'JFK', dep_time: '08:15', ...number } });

  const flights = 'AA1-2026-03-20,aa 1-2026-03-20T17:30,NZ4567-LAX-2026-03-20,AA9-2026-03-20';
  const { body } = await call('/api/score/batch', { flights });
  t.like(body, {
    results: [
      { result: { input: { origin: 'JFK', dep_time: '08:15', ...number } } },
      { result: { input: { origin: 'JFK', dep_time: '17:30', ...number } } },
      { result: { input: { origin: 'LAX', flight_number: 'NZ4567' } } },
      { error: { error: 'unknown_flight', param: 'flight', schedule_month: '2025-02' } },
    ],
  });
});

test('an itinerary of flight numbers has the usual departures and arrivals', async (t) => {
  const { body } = await call('/api/itinerary', { legs: 'AA1-2026-03-20,AA2-2026-03-20' });
  t.notThrows(() => itineraryBody.parse(body));
  t.like(body, {
    legs: [
      { flight_number: 'AA1', dep_time: '08:15', arr_time: '11:40', is_arrival_estimated: false },
      { flight_number: 'AA2', dep_time: '13:00', arr_time: '21:20', is_arrival_estimated: false },
    ],
    connections: [{ planned_min: 80 }],
  });
});

test('the next later flight comes from the schedule of the airline on the ticket', async (t) => {
  const later = (depTime: string, flightCount: number): NumberSchedule => ({
    month: '2025-02',
    legs: [{ ...BACK, depTime, flightCount }],
  });
  const schedules = {
    ...SCHEDULES,
    // Not the next flight: AA3 departs earlier, AA4 at the same time, AA5 is too rare, B67 is of another airline.
    ...{ AA3: later('12:59', 14), AA4: later('13:00', 14), AA5: later('13:30', 6) },
    B67: later('13:45', 14),
    ...{ AA8: later('18:20', 14), AA6: later('16:05', 7) },
  };
  const trip = async (second: string) => {
    const legs = `AA1-2026-03-20,${second}`;
    const { body } = await call('/api/itinerary', { legs }, numbered(schedules));
    t.notThrows(() => itineraryBody.parse(body));
    return (body['connections'] as unknown[])[0];
  };
  const next = {
    next_dep_time: null,
    next_flight: { hour: 16, dep_time: '16:05', flight_number: 'AA6' },
  };
  t.like(await trip('AA2-2026-03-20'), next);
  t.like(await trip('LAX-JFK-AA-2026-03-20T13:00-21:20'), next);
  // NZ sells the ticket, and AA operates the flight.
  const none = { next_dep_time: null, next_flight: null };
  t.like(await trip('NZ4567-LAX-2026-03-20'), none);
  t.like(await trip('AA8-2026-03-20'), none);
});

test('next_dep_time is an hour of the record, also where a schedule has the next flight', async (t) => {
  const hours = new Float32Array(24);
  [hours[12], hours[17]] = [300, 300];
  const record = aStore({ manifest: { months: ['2025-01', '2025-02'] } });
  const store = numbered(
    {
      ...SCHEDULES,
      AA6: { month: '2025-02', legs: [{ ...BACK, depTime: '16:05', flightCount: 14 }] },
    },
    { ...record, departureHours: () => hours },
  );
  const { body } = await call('/api/itinerary', { legs: 'AA1-2026-03-20,AA2-2026-03-20' }, store);
  t.like((body['connections'] as unknown[])[0], {
    next_dep_time: '17:00',
    next_flight: { hour: 16, dep_time: '16:05', flight_number: 'AA6' },
  });
});

test('the booked flight is not its own later flight, even if its schedule has a later time', async (t) => {
  const later = (depTime: string): NumberSchedule => ({
    month: '2025-02',
    legs: [{ ...BACK, depTime, flightCount: 14 }],
  });
  const next = async (second: string, others: Record<string, NumberSchedule> = {}) => {
    const legs = `AA1-2026-03-20,${second}`;
    const { body } = await call('/api/itinerary', { legs }, numbered({ ...SCHEDULES, ...others }));
    const [connection] = itineraryBody.parse(body).connections;
    return connection?.next_flight?.flight_number;
  };
  const others = { AA7: later('13:20'), AA6: later('16:05') };
  // The schedule has AA2 at 13:00.
  for (const booked of ['AA2-2026-03-20T12:20', 'LAX-JFK-AA-2026-03-20T12:50-21:10']) {
    t.is(await next(booked), undefined, booked);
    t.is(await next(booked, others), 'AA7', booked);
  }
  t.is(await next('LAX-JFK-AA-2026-03-20T13:05-21:25', others), 'AA7');
  // Too far from every usual time: the booked flight is not in the schedule.
  t.is(await next('LAX-JFK-AA-2026-03-20T12:25-20:45', others), 'AA2');
});

test('a leg whose usual time is unknown, or that departs at another time, needs its own times', async (t) => {
  const refused = await call('/api/itinerary', { legs: 'B63-2026-03-20,AA2-2026-03-20' });
  t.is(refused.status, 400);
  t.regex(String(refused.body['message']), /^Leg 1: the usual time .* add the time/);
  const { body } = await call('/api/itinerary', { legs: 'AA1-2026-03-20T07:00,AA2-2026-03-20' });
  t.like(body, { legs: [{ dep_time: '07:00', is_arrival_estimated: true }] });
});

test('a number with several legs is refused with the legs, until origin or dest chooses one', async (t) => {
  const { status, body } = await call('/api/score', { flight: 'NZ4567', ...ON });
  t.is(status, 400);
  t.notThrows(() => errorBody.parse(body));
  t.deepEqual(body, {
    error: 'ambiguous_flight',
    message: 'Flight NZ4567 has 2 legs: JFK-LAX, LAX-JFK. To choose one, send origin or dest.',
    param: 'flight',
    legs: [
      { origin: 'JFK', destination: 'LAX', airline: 'AA', dep_time: '08:15' },
      { origin: 'LAX', destination: 'JFK', airline: 'AA', dep_time: '13:00' },
    ],
    schedule_month: '2025-02',
  });
  for (const leg of [{ origin: 'LAX' }, { dest: 'jfk' }, { origin: 'LAX', dest: 'JFK' }]) {
    const chosen = await call('/api/score', { flight: 'NZ4567', ...leg, ...ON });
    t.like(chosen.body, { input: { origin: 'LAX', destination: 'JFK', dep_time: '13:00' } });
  }
  const other = await call('/api/score', { flight: 'NZ4567', origin: 'AKL', ...ON });
  t.is(other.status, 404);
  t.like(other.body, { error: 'unknown_flight', legs: [{ origin: 'JFK' }, { origin: 'LAX' }] });
});

test('an unknown number gets 404, with the month of the schedule and the parameters to send instead', async (t) => {
  const { status, body } = await call('/api/score', { flight: 'AA9', ...ON });
  t.is(status, 404);
  t.notThrows(() => errorBody.parse(body));
  t.deepEqual(body, {
    error: 'unknown_flight',
    message:
      'Flight AA9 is not in the schedules up to 2025-02. Check the number. You can send origin, dest and airline instead.',
    param: 'flight',
    schedule_month: '2025-02',
  });
  const without = await call('/api/score', { flight: 'AA9', ...ON }, aStore());
  t.is(without.status, 404);
  const abroad = numbered(
    SCHEDULES,
    aStore({ manifest: { provider: 'hkia', title: 'Hong Kong' } }),
  );
  const other = await call(
    '/api/score',
    { flight: 'AA9', ...ON },
    combineStores(aStore(), [abroad]),
  );
  t.is(
    other.body['message'],
    'Flight AA9 is not in the schedules up to 2025-02. They only have flights of Hong Kong; the numbers of other flights are unknown. You can send origin, dest and airline instead.',
  );
  t.regex(String(without.body['message']), /no flight numbers yet\. You can send origin/);
});

test('an airline beside the number is the airline of the number or the operating airline', async (t) => {
  for (const airline of ['NZ', 'AA']) {
    const params = { flight: 'NZ4567', origin: 'JFK', airline, ...ON };
    t.is((await call('/api/score', params)).status, 200);
  }
  const { status, body } = await call('/api/score', { flight: 'AA1', airline: 'DL', ...ON });
  t.is(status, 400);
  t.like(body, { error: 'invalid_parameter', param: 'airline' });
});

test('a malformed number is refused, and without a number the route is required in order', async (t) => {
  for (const flight of ['A1', 'AA', 'AA0', '1234', 'AA12345', 'AA-1', 'AA1X', 'AA  1']) {
    const { status, body } = await call('/api/score', { flight, ...ON });
    t.deepEqual([status, body['param']], [400, 'flight'], flight);
  }
  const orders: [Record<string, string>, string, string][] = [
    [{}, 'missing_parameter', 'origin'],
    [{ origin: 'JFK' }, 'missing_parameter', 'dest'],
    [{ origin: 'J', date: 'x' }, 'invalid_parameter', 'origin'],
    [{ origin: 'JFK', dest: 'LAX', date: 'x' }, 'missing_parameter', 'airline'],
    [{ flight: 'AA1' }, 'missing_parameter', 'date'],
  ];
  for (const [params, error, param] of orders) {
    t.like((await call('/api/score', params)).body, { error, param });
  }
});

test('the newest schedule of all providers counts; legs up to a year older are added', async (t) => {
  const abroad = (month: string) =>
    numbered(
      { AA1: { month, legs: [{ origin: 'LAX', dest: 'AKL', carrier: 'NZ', flightCount: 20 }] } },
      aStore({
        manifest: { provider: 'hkia' },
        routes: { 'LAX-AKL': someStats() },
        carriers: { 'LAX-AKL': [{ carrier: 'NZ', ...someStats() }] },
      }),
    );
  const flight = { flight: 'AA1', ...ON };
  const both = await call('/api/score', flight, combineStores(numbered(), [abroad('2024-02')]));
  t.like(both.body, { legs: [{ origin: 'LAX' }, { origin: 'JFK' }] });
  const older = await call('/api/score', flight, combineStores(numbered(), [abroad('2024-01')]));
  t.like(older.body, { input: { origin: 'JFK', schedule_month: '2025-02' } });
  const newer = await call('/api/score', flight, combineStores(numbered(), [abroad('2026-03')]));
  t.like(newer.body, {
    data_provider: 'hkia',
    input: { origin: 'LAX', airline: 'NZ', schedule_month: '2026-03' },
  });
});
