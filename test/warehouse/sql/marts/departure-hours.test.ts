import test from 'ava';
import { openStore } from '../../../../warehouse/store/open.ts';
import { exportStore } from '../../../../warehouse/store/export.ts';
import { aRouteHour, builtWith } from '../../../helpers/warehouse.ts';

test('an airline-route has the hours it leaves in, by their share of its flights', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ crs_dep_hour: 6, flight_count: 30 }),
      aRouteHour({ crs_dep_hour: 18, flight_count: 10 }),
      aRouteHour({ carrier: 'AA', crs_dep_hour: 9, flight_count: 7 }),
      aRouteHour({ carrier: 'B6', crs_dep_hour: null, flight_count: 7 }),
    ],
  });
  const { departureHours } = openStore(await exportStore(db, new Date('2026-11-01T02:30:00Z')));
  t.deepEqual(departureHours('JFK', 'LAX', 'DL'), [
    { hour: 6, share: 0.75 },
    { hour: 18, share: 0.25 },
  ]);
  t.deepEqual(departureHours('JFK', 'LAX', 'AA'), [{ hour: 9, share: 1 }]);
  t.deepEqual(departureHours('JFK', 'LAX', 'B6'), []);
  t.deepEqual(departureHours('LAX', 'JFK', 'DL'), []);
});

test('hours of two years ago count half', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2016-07-01', crs_dep_hour: 6, flight_count: 20 }),
      aRouteHour({ month: '2018-07-01', crs_dep_hour: 18, flight_count: 10 }),
    ],
  });
  t.deepEqual(await db.rows('select local_hour, share from marts.departure_hours'), [
    { local_hour: 6, share: 0.5 },
    { local_hour: 18, share: 0.5 },
  ]);
});
