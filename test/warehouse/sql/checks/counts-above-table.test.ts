import test, { type ExecutionContext } from 'ava';
import { findOffendingRows } from '../../../../warehouse/build/build.ts';
import { aRouteHour, createWarehouse, type RouteHour } from '../../../helpers/warehouse.ts';

const NOW = new Date('2026-11-01T02:30:00Z');

/**
 * Checks flights of July 2018: of DL from JFK to LAX, and of AA to BOS. The table has 1,000 flights of each airline,
 * 200 of them late.
 */
async function check(t: ExecutionContext, delta: Partial<RouteHour>, american: Partial<RouteHour>) {
  const flights = { flight_count: 1_000, delayed15_count: 200 };
  const db = await createWarehouse(t, {
    routeHours: [
      aRouteHour({ ...flights, ...delta }),
      aRouteHour({ ...flights, carrier: 'AA', dest: 'BOS', ...american }),
      aRouteHour({ carrier: 'C5', flight_count: 900 }),
    ],
    delayCauses: [
      ['2018-07-01', 'DL', 'LAX', 1_000, 200],
      ['2018-07-01', 'AA', 'BOS', 1_000, 200],
    ],
  });
  await db.run(
    `insert into raw.delay_cause_months
     values ('2018-07-01', 'table.csv', 'aa', 1, 1, 0, 0, 'bb', 'test', now(), now())`,
  );
  const [findings] = await findOffendingRows(db, ['counts_above_table'], NOW);
  return findings?.rows.length ? [findings.severity, findings.rows[0]?.['above_share']] : [];
}

test('months equal to the table, and every subset of them, are not above the table', async (t) => {
  t.deepEqual(await check(t, {}, {}), []);
  t.deepEqual(await check(t, { flight_count: 1_015 }, { flight_count: 980 }), []);
  const part = { flight_count: 900, delayed15_count: 180 };
  t.deepEqual(await check(t, part, part), [], 'most of a month');
  t.deepEqual(await check(t, { flight_count: 4, delayed15_count: 3 }, part), [], 'a sample');
});

test('flights counted twice, other late flights and other flights on time are errors; a few are a warning', async (t) => {
  const twice = { flight_count: 2_000, delayed15_count: 400 };
  t.deepEqual(await check(t, twice, twice), ['error', 1]);
  t.deepEqual(await check(t, { delayed15_count: 300 }, { delayed15_count: 100 }), ['error', 1]);
  t.deepEqual(await check(t, { delayed15_count: 300 }, {}), ['warn', 0.5]);
});

test('an airport that the table does not have for an airline of the table is above it', async (t) => {
  t.deepEqual(await check(t, { dest: 'SFO' }, {}), ['warn', 0.5]);
  t.deepEqual(await check(t, { dest: 'SFO' }, { dest: 'SFO' }), ['error', 1]);
});

test('by departure, only flights are compared', async (t) => {
  const departures = { delay_basis: 'departure', delayed15_count: 900 } as const;
  t.deepEqual(await check(t, departures, departures), []);
  const twice = { ...departures, flight_count: 2_000 };
  t.deepEqual(await check(t, twice, twice), ['error', 1]);
});
