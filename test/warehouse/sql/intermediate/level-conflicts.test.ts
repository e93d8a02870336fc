import test, { type ExecutionContext } from 'ava';
import { readLevelConflicts } from '../../../../warehouse/build/level-conflicts.ts';
import { aRouteHour, type RouteHour, createWarehouse } from '../../../helpers/warehouse.ts';

/** Carrier, airport of arrival, flights, flights late by 15 minutes, and cancelled flights, in July 2018. */
type TableRow = [string, string, number, number, number];

async function findConflicts(t: ExecutionContext, routeHours: RouteHour[], tableRows: TableRow[]) {
  const db = await createWarehouse(t, { routeHours });
  await db.run(
    `insert into raw.delay_cause_months
     values ('2018-07-01', 'table.csv', 'aa', 1, 1, 0, 0, 'bb', 'test', now(), now())`,
  );
  for (const [carrier, airport, flights, late, cancelled] of tableRows) {
    await db.run(
      `insert into raw.delay_causes by name
       select date '2018-07-01' as month, $carrier as carrier, $airport as airport, $flights as arr_flights,
         $late as arr_del15, $cancelled as arr_cancelled, 0 as arr_diverted`,
      { carrier, airport, flights, late, cancelled },
    );
  }
  await db.runFile('intermediate/int_level_conflicts');
  return readLevelConflicts(db);
}

/** Returns `flight_count` flights in each of the two directions. In each direction, `late` of them are late. */
function bothDirections(dest: string, flight_count: number, late: number): RouteHour[] {
  const flights = { dest, flight_count, delayed15_count: late, delayed_count: 0 };
  return [aRouteHour(flights), aRouteHour({ ...flights, origin: dest, dest: 'JFK' })];
}

test('counts that differ by at most 2 % or two flights are no conflict', async (t) => {
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 1_100, 219, 0],
    ['DL', 'LAX', 1_020, 204, 0],
    ['DL', 'SFO', 102, 22, 0],
  ];
  t.deepEqual(
    await findConflicts(
      t,
      [...bothDirections('LAX', 1_000, 200), ...bothDirections('SFO', 100, 20)],
      tableRows,
    ),
    [],
  );
});

test('a form with conflicts has one row, with the flights in conflict and the worst place', async (t) => {
  const flights = [...bothDirections('LAX', 1_000, 200), ...bothDirections('SFO', 100, 20)];
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 1_100, 220, 0],
    ['DL', 'LAX', 1_100, 200, 0],
    ['DL', 'SFO', 100, 25, 0],
  ];
  t.deepEqual(await findConflicts(t, flights, tableRows), [
    {
      form: 'bts_short',
      firstMonth: '2018-07',
      lastMonth: '2018-07',
      compared: 3,
      conflicts: 2,
      flightShare: 1_200 / 2_300,
      month: '2018-07',
      carrier: 'DL',
      airport: 'LAX',
      source: 'test.csv',
      flights: 1_000,
      flightsTold: 1_100,
      late: 200,
      lateTold: 200,
    },
  ]);
});

test('a missing airport of a complete airline is a conflict, an airline missing from the table is not', async (t) => {
  const flights = [
    ...bothDirections('LAX', 1_000, 200),
    ...bothDirections('LAX', 500, 0).map((row) => ({ ...row, carrier: 'C5' })),
  ];
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 1_000, 200, 0],
    ['DL', 'LAX', 1_000, 200, 0],
    ['DL', 'BOS', 60, 5, 0],
  ];
  const [found] = await findConflicts(t, flights, tableRows);
  t.like(found, { compared: 3, conflicts: 1, carrier: 'DL', airport: 'BOS', flights: 0 });
});

test('departures of one airport, part of an airline and a sample are not compared', async (t) => {
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 1_000, 200, 0],
    ['DL', 'LAX', 1_000, 200, 0],
    ['DL', 'BOS', 1_000, 200, 0],
  ];
  const departures = [
    aRouteHour({ flight_count: 900 }),
    aRouteHour({ dest: 'BOS', flight_count: 900 }),
  ];
  t.deepEqual(await findConflicts(t, departures, tableRows), []);
  t.deepEqual(await findConflicts(t, bothDirections('LAX', 500, 100), tableRows), []);
});

test('late flights are compared where a region has all flights of an airline at an airport', async (t) => {
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 9_000, 200, 0],
    ['DL', 'LAX', 500, 100, 0],
  ];
  const [found] = await findConflicts(t, bothDirections('LAX', 500, 80), tableRows);
  t.like(found, { compared: 1, conflicts: 1, airport: 'LAX', late: 80, lateTold: 100 });
});

test('flights with departure delays only are compared neither by late arrivals nor by cancellations', async (t) => {
  const flights = bothDirections('LAX', 500, 80).map((row) => ({
    ...row,
    delay_basis: 'departure' as const,
  }));
  const tableRows: TableRow[] = [
    ['DL', 'JFK', 500, 200, 20],
    ['DL', 'LAX', 520, 100, 20],
  ];
  const [found] = await findConflicts(t, flights, tableRows);
  t.like(found, { conflicts: 1, airport: 'LAX', late: null });
});
