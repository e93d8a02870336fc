import test from 'ava';
import { exportStore } from '../../../../warehouse/store/export.ts';
import { openStore } from '../../../../warehouse/store/open.ts';
import {
  anAirportHour,
  aRouteHour,
  buildWarehouseUpTo,
  buildWarehouse,
} from '../../../helpers/warehouse.ts';

const withCells = buildWarehouseUpTo('marts/record_cells');
const withComparisons = buildWarehouseUpTo('marts/comparisons');
const withMonths = buildWarehouseUpTo('marts/recent_months');

const MONTHS = ['2018-05-01', '2018-06-01', '2018-07-01'];

/** One row per month for an airline's flights at 8:00. `late` has the number of late flights of each month. */
function eachMonth(late: number[], changes: Parameters<typeof aRouteHour>[0] = {}) {
  return MONTHS.map((month, at) =>
    aRouteHour({ flight_count: 100, ...changes, month, delayed_count: late[at] ?? 0 }),
  );
}

test('a record has counts by month and hour for airports and airlines, and by month or by hour for routes', async (t) => {
  const db = await withCells(t, {
    routeHours: [
      aRouteHour({ flight_count: 30, delayed_count: 4, cancelled_count: 2 }),
      aRouteHour({ month: '2016-07-01', flight_count: 10 }),
      aRouteHour({ crs_dep_hour: null, flight_count: 7, delayed_count: 1 }),
      aRouteHour({ month: '2018-01-01', carrier: 'AA', crs_dep_hour: 23, flight_count: 5 }),
    ],
  });
  const cells = await db.rows(
    `select kind, code, slot, completed_count as flown, delayed_count as late, cancelled_count as cancelled
     from marts.record_cells order by all`,
  );
  const [july8, january23] = [6 * 24 + 8, 23];
  t.deepEqual(cells, [
    { kind: 'carrier', code: 'AA', slot: january23, flown: 5, late: 0, cancelled: 0 },
    { kind: 'carrier', code: 'DL', slot: july8, flown: 38, late: 4, cancelled: 2 },
    { kind: 'origin', code: 'JFK', slot: january23, flown: 5, late: 0, cancelled: 0 },
    { kind: 'origin', code: 'JFK', slot: july8, flown: 38, late: 4, cancelled: 2 },
    { kind: 'route', code: 'JFKLAX', slot: 0, flown: 5, late: 0, cancelled: 0 },
    { kind: 'route', code: 'JFKLAX', slot: 6, flown: 45, late: 5, cancelled: 2 },
    { kind: 'route', code: 'JFKLAX', slot: 12 + 8, flown: 38, late: 4, cancelled: 2 },
    { kind: 'route', code: 'JFKLAX', slot: 12 + 23, flown: 5, late: 0, cancelled: 0 },
  ]);
});

test('departures of an airport are counted by weekday and hour if the source has weekdays', async (t) => {
  const db = await withCells(t, {
    airportHours: [
      anAirportHour({ weekday: null, crs_dep_count: 99 }),
      anAirportHour({ weekday: 5, crs_dep_count: 4, delayed_count: 1 }),
      anAirportHour({ month: '2018-08-01', weekday: 5, crs_dep_count: 5, delayed_count: 2 }),
      anAirportHour({ weekday: 1, local_hour: 0, crs_dep_count: 3 }),
      // Arrivals only.
      anAirportHour({ weekday: 7, crs_dep_count: 0, crs_arr_count: 3 }),
    ],
  });
  const cell = { kind: 'origin_weekday', code: 'JFK', cancelled_count: 0 };
  t.deepEqual(await db.rows('select * from marts.record_cells order by slot'), [
    { ...cell, slot: 0, completed_count: 3, delayed_count: 0 },
    { ...cell, slot: 4 * 24 + 8, completed_count: 9, delayed_count: 3 },
  ]);
});

test('an airline is compared only with other airlines on its routes in the same month and two hours', async (t) => {
  const db = await withComparisons(t, {
    routeHours: [
      ...eachMonth([30, 30, 30]),
      ...eachMonth([10, 10, 10], { carrier: 'AA', crs_dep_hour: 9 }),
      // These hours, routes and months have no other airline to compare with.
      ...eachMonth([90, 90, 90], { carrier: 'AA', crs_dep_hour: 10 }),
      ...eachMonth([90, 90, 90], { dest: 'SFO', crs_dep_hour: 12 }),
      aRouteHour({ month: '2018-08-01', flight_count: 100, delayed_count: 90 }),
    ],
  });
  // Each month has 15 late flights of the airline and 5 of the others. Both numbers have the weight one half. A quarter
  // of a flight is added to each. Noise: 25.75 / (45.25 · 15.25) = 0.0373. Spread: ln(45.25 / 15.25)² - 0.0373 =
  // 1.1458, so 0.968 of the logarithm remains.
  const compared = {
    kind: 'carrier',
    completed_count: 300,
    other_count: 300,
    log_ratio_sd: 0.190101,
  };
  t.deepEqual(
    await db.rows(`select * from marts.comparisons where kind = 'carrier' order by key`),
    [
      { ...compared, key: 'AA', delayed_count: 30, log_ratio: -1.053314 },
      { ...compared, key: 'DL', delayed_count: 90, log_ratio: 1.053314 },
    ],
  );
});

test('brands are compared on a route that one operator flies for both', async (t) => {
  const operated = { carrier: 'OO' };
  const db = await withComparisons(t, {
    routeHours: [
      ...eachMonth([30, 30, 30], { ...operated, brand: 'UA' }),
      ...eachMonth([10, 10, 10], { ...operated, brand: 'DL' }),
      // Here, one brand sells all flights.
      ...eachMonth([90, 90, 90], { ...operated, brand: 'DL', dest: 'SFO' }),
    ],
  });
  t.deepEqual(
    await db.rows(
      `select kind, key, delayed_count, other_count, sign(log_ratio) as worse from marts.comparisons
       where kind in ('brand', 'carrier', 'route_brand') order by all`,
    ),
    [
      { kind: 'brand', key: 'DL', delayed_count: 30, other_count: 300, worse: -1 },
      { kind: 'brand', key: 'UA', delayed_count: 90, other_count: 300, worse: 1 },
      { kind: 'route_brand', key: 'JFKLAXDL', delayed_count: 30, other_count: 300, worse: -1 },
      { kind: 'route_brand', key: 'JFKLAXUA', delayed_count: 90, other_count: 300, worse: 1 },
    ],
  );
});

test('few flights and contradicting months shrink a comparison toward 0 and increase its uncertainty', async (t) => {
  const steadyMonths = [...eachMonth([30, 30, 30]), ...eachMonth([15, 15, 15], { carrier: 'AA' })];
  const compared = async (routeHours: ReturnType<typeof eachMonth>) => {
    const db = await withComparisons(t, { routeHours });
    const [row] = await db.rows<{ log_ratio: number; log_ratio_sd: number }>(
      `select log_ratio, log_ratio_sd from marts.comparisons where kind = 'carrier' and key = 'DL'`,
    );
    return row ?? { log_ratio: Number.NaN, log_ratio_sd: Number.NaN };
  };
  const [certain, uncertain, few] = [
    await compared(steadyMonths),
    await compared([...eachMonth([80, 5, 5]), ...eachMonth([5, 20, 20], { carrier: 'AA' })]),
    await compared(
      steadyMonths.map((row) => ({
        ...row,
        flight_count: 40,
        completed_count: 40,
        delayed_count: row.delayed_count / 2,
      })),
    ),
  ];
  t.true(certain.log_ratio > few.log_ratio && few.log_ratio > 0);
  t.true(certain.log_ratio_sd < few.log_ratio_sd);
  t.is(uncertain.log_ratio, 0, 'fully shrunk');
});

test('a route is compared with other routes of its airlines from the same origin, an origin with others to the same airports', async (t) => {
  const db = await withComparisons(t, {
    routeHours: [
      ...eachMonth([20, 20, 20]),
      ...eachMonth([5, 5, 5], { dest: 'SFO' }),
      ...eachMonth([40, 40, 40], { origin: 'BOS' }),
    ],
  });
  t.deepEqual(
    await db.rows(
      `select kind, key, delayed_count as late, sign(log_ratio) as worse from marts.comparisons
       where kind in ('route', 'dest', 'origin') order by all`,
    ),
    [
      { kind: 'dest', key: 'LAX', late: 60, worse: 1 },
      { kind: 'dest', key: 'SFO', late: 15, worse: -1 },
      { kind: 'origin', key: 'BOS', late: 120, worse: 1 },
      { kind: 'origin', key: 'JFK', late: 60, worse: -1 },
      { kind: 'route', key: 'JFKLAX', late: 60, worse: 1 },
      { kind: 'route', key: 'JFKSFO', late: 15, worse: -1 },
    ],
  );
});

function monthOf(kind: string, code: string, month: string, counts: [number, number, number]) {
  const [flight_count, delayed15_count, cancelled_count] = counts;
  return { kind, code, month, flight_count, delayed15_count, cancelled_count, diverted_count: 0 };
}

test('recent months are the newest 24 of the delay-cause table, by airline and by airport of arrival', async (t) => {
  const db = await withMonths(t, {
    delayCauses: [
      ['2025-12-01', 'DL', 'JFK', 100, 20, 3],
      ['2025-12-01', 'AA', 'JFK', 50, 5],
      ['2024-01-01', 'DL', 'LAX', 10, 1],
      ['2023-12-01', 'DL', 'LAX', 10, 1],
    ],
  });
  t.deepEqual(await db.rows('select * from marts.recent_months order by all'), [
    monthOf('carrier', 'AA', '2025-12-01', [50, 5, 0]),
    monthOf('carrier', 'DL', '2024-01-01', [10, 1, 0]),
    monthOf('carrier', 'DL', '2025-12-01', [103, 20, 3]),
    monthOf('dest', 'JFK', '2025-12-01', [153, 25, 3]),
    monthOf('dest', 'LAX', '2024-01-01', [10, 1, 0]),
  ]);
});

test('the store has the same records, comparisons and months as the marts', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      ...eachMonth([30, 30, 30], { cancelled_count: 1 }),
      ...eachMonth([10, 10, 10], { carrier: 'AA', crs_dep_hour: 9 }),
    ],
    delayCauses: [['2025-12-01', 'DL', 'JFK', 100, 20, 3]],
  });
  const store = openStore(await exportStore(db, new Date('2026-01-01')));
  const cell = { completedCount: 99, delayedCount: 30, cancelledCount: 1 };
  t.deepEqual(
    store.recordCells('carrier', 'DL'),
    [4, 5, 6].map((month) => ({ slot: 24 * month + 8, ...cell })),
  );
  t.is(store.recordCells('route', 'LAXJFK'), undefined);
  t.is(store.recordCells('origin_weekday', 'JFK'), undefined);
  const [compared] = await db.rows<{ log_ratio: number; log_ratio_sd: number }>(
    `select * from marts.comparisons where kind = 'carrier' and key = 'DL'`,
  );
  const [, delta] = store.comparisons('carrier');
  t.like(delta, { key: 'DL', completedCount: 297, delayedCount: 90, otherCount: 300 });
  t.is(delta?.logRatio, Math.fround(compared?.log_ratio ?? 0));
  t.is(delta?.logRatioSd, Math.fround(compared?.log_ratio_sd ?? 0));
  t.deepEqual(store.recentMonths('dest', 'JFK'), [
    { month: '2025-12', flightCount: 103, delayed15Count: 20, cancelledCount: 3, divertedCount: 0 },
  ]);
  t.deepEqual(store.recentMonths('dest', 'LAX'), []);
});
