import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/flight_numbers');

test('the legs of a number are those of its newest month, most frequent first', async (t) => {
  const db = await builtWith(t, { routeHours: [aRouteHour()] });
  await db.run(`insert into raw.flight_numbers values
    ('2018-06-01', 'AA', 4567, 'DCA', 'LGA', 'YX', 815, 930, 14),
    ('2018-07-01', 'AA', 4567, 'LGA', 'BOS', 'YX', 1005, 1120, 7),
    ('2018-07-01', 'AA', 4567, 'DCA', 'BOS', 'OH', 0, null, 14)`);
  await db.runFile('marts/flight_numbers');
  const key = { month: '2018-07-01', brand: 'AA', flight_number: 4567, dest: 'BOS' };
  t.deepEqual(await db.rows('select * from marts.flight_numbers'), [
    {
      ...{ ...key, origin: 'DCA', carrier: 'OH' },
      ...{ crs_dep_time: 0, crs_arr_time: null, flight_count: 14 },
    },
    {
      ...{ ...key, origin: 'LGA', carrier: 'YX' },
      ...{ crs_dep_time: 1005, crs_arr_time: 1120, flight_count: 7 },
    },
  ]);
});
