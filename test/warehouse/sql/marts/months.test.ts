import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

/** Without BTS's table, a month cannot be compared with it. */
const UNJUDGED = { completeness: null, table_share: null };

const builtWith = buildWarehouseUpTo('marts/months');

test('each loaded month is one row, oldest first, with its source and number of rows', async (t) => {
  const db = await builtWith(t, {
    routeHours: ['2018-08-01', '2017-12-01', '2018-07-01'].map((month) => aRouteHour({ month })),
  });
  t.deepEqual(await db.rows('select * from marts.months'), [
    { month: '2017-12-01', source_name: 'test.csv', rows_loaded: 1, ...UNJUDGED },
    { month: '2018-07-01', source_name: 'test.csv', rows_loaded: 1, ...UNJUDGED },
    { month: '2018-08-01', source_name: 'test.csv', rows_loaded: 1, ...UNJUDGED },
  ]);
});
