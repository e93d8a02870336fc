import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import test from 'ava';
import { seed } from '../../../jobs/cli/commands/seed.ts';
import type { Provenance } from '../../../pipelines/seed/build.ts';
import { openDatabase } from '../../../warehouse/connect.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SEED_DIR = path.join(ROOT, 'warehouse/seed');
const SOURCE_DIR = path.join(ROOT, '../shared/data');
const FLIGHTS = path.join(SOURCE_DIR, 'flights');
const FILES = ['route_hours.parquet', 'delay_causes.parquet', 'airport_days.parquet'];

test('the seed in the repository equals what make seed computes from its sources, row for row', async (t) => {
  const seedDir = await mkdtemp(path.join(tmpdir(), 'headwind-seed-test-'));
  t.teardown(() => rm(seedDir, { recursive: true }));
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const committed = JSON.parse(
    await readFile(path.join(SEED_DIR, 'provenance.json'), 'utf8'),
  ) as Provenance;
  const exitCode = await seed(
    { out: noOutput, err: noOutput },
    { sourceDir: SOURCE_DIR, seedDir, codeVersion: committed.codeVersion },
  );
  t.is(exitCode, 0);
  const db = await openDatabase();
  t.teardown(() => db.close());
  for (const file of FILES) {
    const [one, other] = [path.join(seedDir, file), path.join(SEED_DIR, file)];
    const difference = `select count(*) as count from (
      (from read_parquet($one) except all from read_parquet($other))
      union all (from read_parquet($other) except all from read_parquet($one)))`;
    t.deepEqual(await db.rows(difference, { one, other }), [{ count: 0 }], file);
  }
  t.deepEqual(
    JSON.parse(await readFile(path.join(seedDir, 'provenance.json'), 'utf8')) as Provenance,
    committed,
  );
});

test('the seed has every flight of the documented parts of its sources once', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const seedRows = await db.rows(
    `select year(month) as year, carrier = 'WN' as is_southwest, sum(flight_count)::bigint as flights,
       sum(delayed_count)::bigint as delayed
     from read_parquet($file) group by all order by all`,
    { file: path.join(SEED_DIR, 'route_hours.parquet') },
  );
  const sourceRows = await db.rows(
    `with
     -- In the second file Southwest has no departures from the 29 largest airports; the third has all of them in January.
     airports as (
       select distinct "Origin" as origin from read_parquet($folder || '/us_2018_300airports_bymonth.parquet')
     ),
     flights as (
       select 2018 as year, false as is_southwest, ARR_DELAY as delay
       from read_parquet($folder || '/us_2018_16carriers_bymonth.parquet')
       union all
       select 2018, true, "Arrival Delay Time (mins)"
       from read_parquet($folder || '/us_2018_300airports_bymonth.parquet')
       where "Airline" = 'Southwest Airlines Co.'
       union all
       select 2018, true, DepDelay
       from read_parquet($folder || '/us_2018_01_10_depdelay.parquet')
       where Airline = 'Southwest Airlines Co.' and month(FlightDate::date) = 1 and Origin not in (from airports)
       union all
       select 2019, OP_UNIQUE_CARRIER = 'WN', ARR_DELAY
       from read_csv($folder || '/phx_iah_2019_12.csv.gz')
       union all
       -- The file has only seven days of United in February.
       select 2022, Airline = 'Southwest Airlines Co.', DepDelay
       from read_parquet($folder || '/us_2022_02_04_depdelay.parquet')
       where Airline <> 'United Air Lines Inc.' or month(FlightDate::date) = 4
       union all
       select 2023, carrier = 'WN', arr_delay
       from read_parquet($folder || '/pnw_2023_01-10.parquet')
       union all
       select YEAR, OP_UNIQUE_CARRIER = 'WN', ARR_DELAY_NEW
       from read_parquet($folder || '/us_2024-08_2025-04_20hubs.parquet')
     )
     select year, is_southwest, count(*) as flights, count(*) filter (where delay > 30) as delayed
     from flights group by all order by all`,
    { folder: FLIGHTS },
  );
  t.deepEqual(seedRows, sourceRows);
});

// These figures were counted when the files were collected. Percentages have two decimals.
for (const [subject, condition, expectedCounts] of [
  [
    'the 16 carriers of 2018',
    "year(month) = 2018 and carrier <> 'WN'",
    { flights: 5_842_932, delayedPercent: 11.98, cancelledPercent: 1.68 },
  ],
  [
    'two hubs in December 2019',
    'year(month) = 2019',
    { flights: 60_700, delayedPercent: 11.42, cancelledPercent: 0.47 },
  ],
  [
    'the Pacific Northwest in 2023',
    'year(month) = 2023',
    { flights: 187_063, delayedPercent: 10.08, cancelledPercent: 0.74 },
  ],
  [
    'flights between 20 hubs of 2024 and 2025',
    "month >= date '2024-01-01'",
    { flights: 1_110_759, delayedPercent: 12.16, cancelledPercent: 1.02 },
  ],
] as const) {
  test(`the seed has ${subject} with the rates of the whole file`, async (t) => {
    const db = await openDatabase();
    t.teardown(() => db.close());
    const [row] = await db.rows(
      `select
         sum(flight_count) as flights,
         round(100 * sum(delayed_count) / sum(completed_count), 2) as "delayedPercent",
         round(100 * sum(cancelled_count) / sum(flight_count), 2) as "cancelledPercent",
         list(distinct delay_basis) as bases
       from read_parquet($file) where ${condition}`,
      { file: path.join(SEED_DIR, 'route_hours.parquet') },
    );
    t.deepEqual(row, { ...expectedCounts, bases: ['arrival'] });
  });
}

test('counts of the seed are exact for one airline on one route', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const rows = await db.rows(
    `select sum(flight_count) as flights, sum(delayed_count) as delayed, sum(cancelled_count) as cancelled
     from read_parquet($file)
     where year(month) = 2018 and origin = 'JFK' and dest = 'LAX' and carrier = 'DL'`,
    { file: path.join(SEED_DIR, 'route_hours.parquet') },
  );
  t.deepEqual(rows, [{ flights: 3156, delayed: 391, cancelled: 20 }]);
});

test("the seed's level table has the flights of BTS's table, which agrees with its route records of 2022", async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const table = path.join(SEED_DIR, 'delay_causes.parquet');
  const [flights] = await db.rows(
    'select sum(arr_flights)::bigint as flights, max(year * 100 + month) as last_month from read_parquet($table)',
    { table },
  );
  t.deepEqual(flights, { flights: 54_609_856, last_month: 202_512 });
  const others = await db.rows(
    `with
     records as (
       select year(month) as year, month(month) as month, carrier, sum(flight_count) as flights
       from read_parquet($file) where year(month) = 2022 group by all
     ),
     reported as (select year, month, carrier, sum(arr_flights) as flights from read_parquet($table) group by all)
     select carrier from records inner join reported using (year, month, carrier)
     where abs(records.flights - reported.flights) > 0.002 * reported.flights`,
    { file: path.join(SEED_DIR, 'route_hours.parquet'), table },
  );
  t.deepEqual(others, []);
});
