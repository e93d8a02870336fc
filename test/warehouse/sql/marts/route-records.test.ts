import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/route_records');

test('the record of an airline-route spans its first to last month, including flights without an hour', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2025-04-01' }),
      aRouteHour({ month: '2018-02-01', crs_dep_hour: null }),
      aRouteHour({ month: '2022-12-01', carrier: 'AA' }),
    ],
  });
  const key = { origin: 'JFK', dest: 'LAX' };
  t.deepEqual(await db.rows('select * from marts.route_records'), [
    { ...key, carrier: 'AA', first_month: '2022-12-01', last_month: '2022-12-01' },
    { ...key, carrier: 'DL', first_month: '2018-02-01', last_month: '2025-04-01' },
  ]);
});
