import test from 'ava';
import { exportStore } from '../../../warehouse/store/export.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { aRouteHour, buildWarehouse } from '../../helpers/warehouse.ts';

test('the store has the first and last month of the record of each airline-route', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      aRouteHour({ month: '2018-02-01', carrier: 'AA' }),
      aRouteHour({ month: '2025-04-01', carrier: 'AA' }),
      aRouteHour({ month: '2022-12-01', carrier: 'DL', crs_dep_hour: null }),
    ],
  });
  const store = openStore(await exportStore(db, new Date('2026-01-01')));
  const { recordMonths } = store;
  t.deepEqual(recordMonths('JFK', 'LAX', 'AA'), { first: '2018-02', last: '2025-04' });
  t.deepEqual(recordMonths('JFK', 'LAX', 'DL'), { first: '2022-12', last: '2022-12' });
  t.is(recordMonths('JFK', 'LAX', 'B6'), undefined);
});
