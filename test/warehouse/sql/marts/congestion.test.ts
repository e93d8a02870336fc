import test from 'ava';
import { aRouteHour, builtWith } from '../../../helpers/warehouse.ts';

test('the busiest hour of the busiest airport has congestion 1', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ origin: 'ATL', crs_dep_hour: 8, flight_count: 3100 }),
      aRouteHour({ origin: 'ATL', crs_dep_hour: 9, flight_count: 1550 }),
    ],
  });
  const rows = await db.rows('select * from marts.airport_hour_congestion order by local_hour');
  t.deepEqual(rows, [
    { airport: 'ATL', month_of_year: 7, local_hour: 8, daily_departures: 100, congestion: 1 },
    { airport: 'ATL', month_of_year: 7, local_hour: 9, daily_departures: 50, congestion: 0.5 },
  ]);
});

test('a small airport is not congested even in its busiest hour', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ origin: 'ATL', flight_count: 31 * 99 }),
      aRouteHour({ origin: 'ISN', flight_count: 31 * 9 }),
    ],
  });
  const rows = await db.rows(
    `select round(congestion, 6) as congestion from marts.airport_hour_congestion where airport = 'ISN'`,
  );
  t.deepEqual(rows, [{ congestion: 0.5 }]);
});

test('the same month of two years is averaged over the days of both', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2018-07-01', flight_count: 310 }),
      aRouteHour({ month: '2019-07-01', flight_count: 930 }),
    ],
  });
  const rows = await db.rows('select daily_departures from marts.airport_hour_congestion');
  t.deepEqual(rows, [{ daily_departures: 20 }]);
});

test('the congestion of a month is that of its departures, busy hours counting more', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ crs_dep_hour: 8, flight_count: 300 }),
      aRouteHour({ crs_dep_hour: 23, flight_count: 100 }),
    ],
  });
  const rows = await db.rows(
    'select airport, month_of_year, round(congestion, 6) as congestion from marts.airport_month_congestion',
  );
  t.deepEqual(rows, [{ airport: 'JFK', month_of_year: 7, congestion: 0.833333 }]);
});

test('flights without a scheduled time have no part in congestion', async (t) => {
  const db = await builtWith(t, { routeHours: [aRouteHour({ crs_dep_hour: null })] });
  t.deepEqual(await db.rows('select * from marts.airport_hour_congestion'), []);
});
