import test, { type ExecutionContext } from 'ava';
import { buildModel } from '../../../warehouse/build/build.ts';
import { loadMonth, unloadMonth } from '../../../warehouse/build/load.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import type { Database } from '../../../warehouse/connect.ts';
import { aFile, aFlight, aFolder, extractToLake, toCsv } from '../../helpers/flight-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

type Flights = { file?: string; flights?: Record<string, string>[] };

/** Extracts the flights into a lake, loads the months, and builds the mart of flight numbers. */
async function numbersOf(t: ExecutionContext, months: string[], { file, flights = [] }: Flights) {
  const lakeDir = await aFolder(t);
  await extractToLake(t, file ?? (await aFile(t, toCsv(flights))), { lakeDir });
  const db = await createWarehouse(t);
  for (const month of months) await loadMonth(db, lakeDir, month);
  return { db, numbers: await readNumbers(db) };
}

async function readNumbers(db: Database): Promise<string[]> {
  await buildModel(db, 'marts/flight_numbers');
  const rows = await db.rows<Record<string, unknown>>(
    `select strftime(month, '%Y-%m') as month, brand, flight_number, origin, dest, carrier,
       crs_dep_time, crs_arr_time, flight_count from marts.flight_numbers`,
  );
  return rows.map((row) => Object.values(row).join(' '));
}

/** Flights of a number on each of these days of July 2018. */
const daily = (days: number[], changes: Record<string, string> = {}) =>
  days.map((day) => aFlight({ FL_DATE: `2018-07-${String(day).padStart(2, '0')}`, ...changes }));

const days = (from: number, until: number) =>
  Array.from({ length: until - from + 1 }, (_, at) => from + at);

test('a number has its legs with the most frequent time of its last two weeks', async (t) => {
  const { numbers } = await numbersOf(t, ['2018-07'], {
    flights: [
      ...daily(days(1, 17), { CRS_DEP_TIME: '0700', CRS_ARR_TIME: '1030' }),
      ...daily(days(18, 26)),
      ...daily(days(27, 31), { CRS_DEP_TIME: '0815', CRS_ARR_TIME: '1145' }),
      ...daily(days(18, 31), { ORIGIN: 'LAX', DEST: 'JFK', CRS_DEP_TIME: '1300' }),
    ],
  });
  t.deepEqual(numbers, [
    '2018-07 DL 423 JFK LAX DL 800 1130 14',
    '2018-07 DL 423 LAX JFK DL 1300 1130 14',
  ]);
});

test('a former route and rare legs are left out', async (t) => {
  const { numbers } = await numbersOf(t, ['2018-07'], {
    flights: [
      ...daily(days(18, 24), { DEST: 'SFO' }),
      ...daily(days(25, 31)),
      ...daily([30], { DEST: 'SEA', CRS_DEP_TIME: '1200' }),
    ],
  });
  t.deepEqual(numbers, ['2018-07 DL 423 JFK LAX DL 800 1130 7']);
});

test('the newest month of a number counts, and an older month of another number remains', async (t) => {
  const months = ['2018-06', '2018-07'];
  const { db, numbers } = await numbersOf(t, months, {
    flights: [
      aFlight({ FL_DATE: '2018-06-03', DEST: 'SFO' }),
      aFlight({ FL_DATE: '2018-06-03', OP_CARRIER_FL_NUM: '7' }),
      aFlight(),
    ],
  });
  t.deepEqual(numbers, [
    '2018-06 DL 7 JFK LAX DL 800 1130 1',
    '2018-07 DL 423 JFK LAX DL 800 1130 1',
  ]);
  await unloadMonth(db, '2018-07');
  t.deepEqual(await readNumbers(db), [
    '2018-06 DL 7 JFK LAX DL 800 1130 1',
    '2018-06 DL 423 JFK SFO DL 800 1130 1',
  ]);
});

test('a month of sampled flights replaces no other month', async (t) => {
  const { db } = await numbersOf(t, ['2018-06', '2018-07'], {
    flights: [aFlight({ FL_DATE: '2018-06-03', DEST: 'SFO' }), aFlight()],
  });
  await db.run(
    `insert into raw.month_completeness by name select date '2018-07-01' as month, 'sample' as kind,
     31 as month_days, 1 as airport_count, 1 as airline_count, now() as extracted_at`,
  );
  t.deepEqual(await readNumbers(db), ['2018-06 DL 423 JFK SFO DL 800 1130 1']);
});

test('flights without a flight number are in no schedule', async (t) => {
  const flights = [aFlight({ OP_CARRIER_FL_NUM: '' }), aFlight({ OP_CARRIER_FL_NUM: '0' })];
  t.deepEqual((await numbersOf(t, ['2018-07'], { flights })).numbers, []);
});

test("Hong Kong's codeshares stand for the flight of the operating airline", async (t) => {
  const flight = [
    { no: 'CX 500', airline: 'CPA' },
    { no: 'AA 8900', airline: 'AAL' },
  ];
  const list = [{ time: '08:15', flight, destination: ['NRT'], status: 'Dep 08:20' }];
  const day = { date: '2025-10-16', arrival: false, cargo: false, list };
  const file = await aFile(t, JSON.stringify([day]), 'hkia.json');
  const lakeDir = await aFolder(t);
  await extractToLake(t, file, { lakeDir });
  const db = await createWarehouse(t);
  await loadMonth(db, providerLakeDir(lakeDir, 'hkia'), '2025-10');
  t.deepEqual(await readNumbers(db), [
    '2025-10 AA 8900 HKG NRT CX 815  1',
    '2025-10 CX 500 HKG NRT CX 815  1',
  ]);
});

test('bundled numbers count only in a history with their month, and never beside its own numbers', async (t) => {
  const bundle = (db: Database) =>
    db.run(
      `insert into reference.flight_numbers
       values ('2018-07-01', 'AA', 8900, 'JFK', 'LAX', 'DL', 800, null, 4)`,
    );
  const { db } = await numbersOf(t, ['2018-07'], { flights: [aFlight()] });
  await bundle(db);
  t.deepEqual(await readNumbers(db), ['2018-07 DL 423 JFK LAX DL 800 1130 1']);
  await db.run('delete from raw.flight_numbers');
  t.deepEqual(await readNumbers(db), ['2018-07 AA 8900 JFK LAX DL 800  4']);
  await unloadMonth(db, '2018-07');
  t.deepEqual(await readNumbers(db), []);
});
