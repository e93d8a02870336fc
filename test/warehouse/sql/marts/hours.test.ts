import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/route_carrier_hours');

test('departures of an airline-route are counted by hour, older months weighing less, without flights without an hour', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2018-07-01', crs_dep_hour: 8, flight_count: 30 }),
      aRouteHour({ month: '2016-07-01', crs_dep_hour: 8, flight_count: 30 }),
      aRouteHour({ month: '2018-07-01', crs_dep_hour: 17, flight_count: 5 }),
      aRouteHour({ month: '2018-07-01', crs_dep_hour: null, flight_count: 7 }),
      aRouteHour({ month: '2018-07-01', carrier: 'AA', crs_dep_hour: 6, flight_count: 9 }),
    ],
  });
  // A month has half the weight of a month 24 months newer.
  const key = { origin: 'JFK', dest: 'LAX' };
  t.deepEqual(await db.rows(`select * from marts.route_carrier_hours order by all`), [
    { ...key, carrier: 'AA', local_hour: 6, weighted_flight_count: 9 },
    { ...key, carrier: 'DL', local_hour: 8, weighted_flight_count: 45 },
    { ...key, carrier: 'DL', local_hour: 17, weighted_flight_count: 5 },
  ]);
});
