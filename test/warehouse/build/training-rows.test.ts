import test, { type ExecutionContext } from 'ava';
import { assembleRows } from '../../../models/assemble.ts';
import { DAY_FEATURES, FEATURES } from '../../../models/features.ts';
import { toTrainingRows, type Rows } from '../../../models/train/rows.ts';
import type { Database } from '../../../warehouse/connect.ts';
import { exportStore } from '../../../warehouse/store/export.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { readTrainingData } from '../../../warehouse/build/training-rows.ts';
import { aRouteHour, buildWarehouse, type RouteHour } from '../../helpers/warehouse.ts';

/** Flights on both sides of a change of half-year, some without an hour. They are in the order of the training rows. */
const BEFORE_AUGUST = [
  aFlightGroup('2018-03-01', 'AA', 'JFK', 'LAX', 0, 30),
  aFlightGroup('2018-03-01', 'DL', 'JFK', 'LAX', 23, 90),
  aFlightGroup('2018-04-01', 'B6', 'LAX', 'JFK', 17, 90),
  aFlightGroup('2018-04-01', 'B6', 'LAX', 'JFK', null, 60),
  aFlightGroup('2018-06-01', 'B6', 'LAX', 'JFK', 17, 120),
  aFlightGroup('2018-06-01', 'DL', 'JFK', 'LAX', 7, 20),
];

/** Flights from August on. WN, OAK and some hours have no earlier history. */
const FROM_AUGUST = [
  aFlightGroup('2018-08-01', 'B6', 'LAX', 'JFK', 17, 150),
  aFlightGroup('2018-08-01', 'DL', 'JFK', 'LAX', 6, 10),
  aFlightGroup('2018-08-01', 'WN', 'JFK', 'OAK', 12, 70),
  aFlightGroup('2018-09-01', 'AA', 'JFK', 'LAX', 0, 50),
  aFlightGroup('2018-09-01', 'AA', 'JFK', 'LAX', null, 80),
  aFlightGroup('2018-10-01', 'DL', 'JFK', 'LAX', 23, 200),
];

function aFlightGroup(
  month: string,
  carrier: string,
  origin: string,
  dest: string,
  crs_dep_hour: number | null,
  delayed_count: number,
): RouteHour {
  return aRouteHour({
    month,
    carrier,
    origin,
    dest,
    crs_dep_hour,
    delayed_count,
    flight_count: 400,
  });
}

async function warehouseOf(t: ExecutionContext, routeHours: RouteHour[]): Promise<Database> {
  const db = await buildWarehouse(t, { routeHours });
  await db.run(
    `update reference.airports set latitude = 33.94, longitude = -118.41 where iata = 'LAX'`,
  );
  return db;
}

async function storeOf(db: Database): Promise<ScoreStore> {
  return openStore(await exportStore(db, new Date('2018-11-01')));
}

/** Features by name, except those of the day. */
function toFeatureRecord(row: Float32Array): Record<string, number> {
  const ofDay = new Set<string>(DAY_FEATURES);
  return Object.fromEntries(
    FEATURES.flatMap(({ name }, at) => (ofDay.has(name) ? [] : [[name, row[at] as number]])),
  );
}

/** Features that the API assembles for a flight of each group. */
function assembleFeatures(groups: RouteHour[], store: ScoreStore): Record<string, number>[] {
  return groups.map(({ month, crs_dep_hour, carrier, origin, dest }) => {
    const query = { origin, dest, carrier, flightDate: `${month.slice(0, 8)}15` };
    return toFeatureRecord(assembleRows(query, [crs_dep_hour ?? Number.NaN], store, {}));
  });
}

/** Features of the training rows from a month on. */
function readTrainingFeatures(
  { count, features, month }: Rows,
  from: string,
): Record<string, number>[] {
  const [year, number] = from.split('-').map(Number) as [number, number];
  const first = (year - 1970) * 12 + number - 1;
  return Array.from({ length: count }, (_, row) => row)
    .filter((row) => (month[row] as number) >= first)
    .map((row) =>
      toFeatureRecord(features.subarray(row * FEATURES.length, (row + 1) * FEATURES.length)),
    );
}

test('training rows of the current level have the served features', async (t) => {
  const db = await warehouseOf(t, [...BEFORE_AUGUST, ...FROM_AUGUST]);
  const { served } = toTrainingRows((await readTrainingData(db)).columns);
  const store = await storeOf(db);
  const all = assembleFeatures([...BEFORE_AUGUST, ...FROM_AUGUST], store);
  t.deepEqual(readTrainingFeatures(served, '2018-01'), all);
  t.deepEqual(
    [...served.season].map(Math.fround),
    [3, 3, 4, 4, 6, 6, 8, 8, 8, 9, 9, 10].map((month) =>
      Math.fround(Math.log(store.monthOdds(month))),
    ),
  );
});

test('forecast rows have the features that were served before their quarter', async (t) => {
  const all = await warehouseOf(t, [...BEFORE_AUGUST, ...FROM_AUGUST]);
  const { forecast } = toTrainingRows((await readTrainingData(all)).columns);
  const before = await storeOf(await warehouseOf(t, BEFORE_AUGUST));
  t.deepEqual(readTrainingFeatures(forecast, '2018-08'), assembleFeatures(FROM_AUGUST, before));
});

test('coverage counts the newest twelve months, not months used only for effects', async (t) => {
  const longAgo = aFlightGroup('2017-01-01', 'UA', 'SEA', 'LAX', 8, 10);
  const db = await warehouseOf(t, [longAgo, ...BEFORE_AUGUST, ...FROM_AUGUST]);
  const { months, coverage } = await readTrainingData(db);
  t.is(months[0], '2017-01');
  t.deepEqual(coverage, {
    first: '2018-03',
    last: '2018-10',
    flights: 12 * 400,
    airports: 3,
    carriers: 4,
    routes: 3,
  });
});
