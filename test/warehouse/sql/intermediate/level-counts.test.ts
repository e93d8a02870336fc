import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const built = buildWarehouseUpTo('intermediate/int_level_counts');
const newer = { flight_count: 100, delayed15_count: 25 };

test('months newer than the table get counts from arrival delays, not from departure delays', async (t) => {
  const db = await built(t, {
    delayCauses: [['2025-11-01', 'DL', 'LAX', 1000, 200]],
    routeHours: [
      aRouteHour({ ...newer, month: '2025-11-01' }),
      aRouteHour({ ...newer, month: '2025-12-01', crs_dep_hour: 8 }),
      aRouteHour({ ...newer, month: '2025-12-01', crs_dep_hour: 9, cancelled_count: 1 }),
      aRouteHour({ ...newer, month: '2026-01-01', delay_basis: 'departure' }),
    ],
  });
  const rows = await db.rows(
    `select month, carrier, airport, is_whole, arrived_count, late_count
     from intermediate.int_level_counts order by month`,
  );
  t.deepEqual(rows, [
    {
      month: '2025-11-01',
      carrier: 'DL',
      airport: 'LAX',
      is_whole: true,
      arrived_count: 1000,
      late_count: 200,
    },
    {
      month: '2025-12-01',
      carrier: 'DL',
      airport: 'LAX',
      is_whole: false,
      arrived_count: 199,
      late_count: 50,
    },
  ]);
});
