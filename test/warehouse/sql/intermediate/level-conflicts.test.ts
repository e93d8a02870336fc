import test, { type ExecutionContext } from 'ava';
import { levelConflicts } from '../../../../warehouse/build/level-conflicts.ts';
import { aRouteHour, type RouteHour, warehouseWith } from '../../../helpers/warehouse.ts';

/** carrier, airport of arrival, flights, late by 15 minutes, cancelled: of July 2018. */
type Told = [string, string, number, number, number];

async function conflicts(t: ExecutionContext, routeHours: RouteHour[], told: Told[]) {
  const db = await warehouseWith(t, { routeHours });
  await db.run(
    `insert into raw.delay_cause_months
     values ('2018-07-01', 'table.csv', 'aa', 1, 1, 0, 0, 'bb', 'test', now(), now())`,
  );
  for (const [carrier, airport, flights, late, cancelled] of told) {
    await db.run(
      `insert into raw.delay_causes by name
       select date '2018-07-01' as month, $carrier as carrier, $airport as airport, $flights as arr_flights,
         $late as arr_del15, $cancelled as arr_cancelled, 0 as arr_diverted`,
      { carrier, airport, flights, late, cancelled },
    );
  }
  await db.runFile('intermediate/int_level_conflicts');
  return levelConflicts(db);
}

/** As many flights there as back, of which so many were late. */
function thereAndBack(dest: string, flight_count: number, late: number): RouteHour[] {
  const flown = { dest, flight_count, delayed15_count: late, delayed_count: 0 };
  return [aRouteHour(flown), aRouteHour({ ...flown, origin: dest, dest: 'JFK' })];
}

test('where counts agree within 2 %, or by two flights, nothing is told', async (t) => {
  const told: Told[] = [
    ['DL', 'JFK', 1_100, 219, 0],
    ['DL', 'LAX', 1_020, 204, 0],
    ['DL', 'SFO', 102, 22, 0],
  ];
  t.deepEqual(
    await conflicts(t, [...thereAndBack('LAX', 1_000, 200), ...thereAndBack('SFO', 100, 20)], told),
    [],
  );
});

test('a form is told once, with its share in conflict and the place that differs most', async (t) => {
  const flown = [...thereAndBack('LAX', 1_000, 200), ...thereAndBack('SFO', 100, 20)];
  const told: Told[] = [
    ['DL', 'JFK', 1_100, 220, 0],
    ['DL', 'LAX', 1_100, 200, 0],
    ['DL', 'SFO', 100, 25, 0],
  ];
  t.deepEqual(await conflicts(t, flown, told), [
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

test('an airport that is missing from a whole airline is in conflict, an airline the table lacks is not', async (t) => {
  const flown = [
    ...thereAndBack('LAX', 1_000, 200),
    ...thereAndBack('LAX', 500, 0).map((row) => ({ ...row, carrier: 'C5' })),
  ];
  const told: Told[] = [
    ['DL', 'JFK', 1_000, 200, 0],
    ['DL', 'LAX', 1_000, 200, 0],
    ['DL', 'BOS', 60, 5, 0],
  ];
  const [found] = await conflicts(t, flown, told);
  t.like(found, { compared: 3, conflicts: 1, carrier: 'DL', airport: 'BOS', flights: 0 });
});

test('departures of one airport, a share of an airline and a sample are no conflict', async (t) => {
  const told: Told[] = [
    ['DL', 'JFK', 1_000, 200, 0],
    ['DL', 'LAX', 1_000, 200, 0],
    ['DL', 'BOS', 1_000, 200, 0],
  ];
  const departures = [
    aRouteHour({ flight_count: 900 }),
    aRouteHour({ dest: 'BOS', flight_count: 900 }),
  ];
  t.deepEqual(await conflicts(t, departures, told), []);
  t.deepEqual(await conflicts(t, thereAndBack('LAX', 500, 100), told), []);
});

test('where a region holds all flights of an airline at an airport, its late ones are compared', async (t) => {
  const told: Told[] = [
    ['DL', 'JFK', 9_000, 200, 0],
    ['DL', 'LAX', 500, 100, 0],
  ];
  const [found] = await conflicts(t, thereAndBack('LAX', 500, 80), told);
  t.like(found, { compared: 1, conflicts: 1, airport: 'LAX', late: 80, lateTold: 100 });
});

test('departures tell neither late arrivals nor all cancellations', async (t) => {
  const flown = thereAndBack('LAX', 500, 80).map((row) => ({
    ...row,
    delay_basis: 'departure' as const,
  }));
  const told: Told[] = [
    ['DL', 'JFK', 500, 200, 20],
    ['DL', 'LAX', 520, 100, 20],
  ];
  const [found] = await conflicts(t, flown, told);
  t.like(found, { conflicts: 1, airport: 'LAX', late: null });
});
