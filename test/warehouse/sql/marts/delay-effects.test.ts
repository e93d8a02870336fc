import test from 'ava';
import { aRouteHour, buildWarehouse } from '../../../helpers/warehouse.ts';

test('if no group causes delays, the effects of all kinds are within thousandths of 0', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [aRouteHour({ crs_dep_hour: 19, flight_count: 1000, delayed_count: 100 })],
  });
  const rows = await db.rows(
    'select * replace ((round(effect, 3) * 1000)::integer as effect) from marts.delay_effects order by kind, key',
  );
  t.deepEqual(rows, [
    { kind: 'carrier', key: 'DL', effect: -1 },
    { kind: 'carrier_hours', key: 'DL@6', effect: 0 },
    { kind: 'dest', key: 'LAX', effect: 0 },
    { kind: 'dest_hours', key: 'LAX@6', effect: 0 },
    { kind: 'half_year_hour', key: 'S19', effect: -1 },
    { kind: 'hour', key: '19', effect: -2 },
    { kind: 'origin', key: 'JFK', effect: -1 },
    { kind: 'origin_carrier', key: 'JFKDL', effect: 0 },
    { kind: 'origin_half_year_hours', key: 'JFK@S6', effect: 0 },
    { kind: 'origin_hours', key: 'JFK@9', effect: 0 },
    { kind: 'route', key: 'JFKLAX', effect: 0 },
    { kind: 'route_carrier', key: 'JFKLAXDL', effect: 0 },
    { kind: 'route_carrier_hours', key: 'JFKLAXDL@4', effect: 0 },
  ]);
});
