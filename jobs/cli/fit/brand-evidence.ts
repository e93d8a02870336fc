import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buildModel } from '../../../warehouse/build/build.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { openDatabase, type Database } from '../../../warehouse/connect.ts';
import { BRAND_FLIGHTS_FILE } from '../../../warehouse/reference/load.ts';
import { table } from '../tables.ts';

/** Maps each variable of `seed/brand_flights.sql` to its file in the public data. */
const SOURCES = {
  sample_file: 'marketing/bts_mkt_2018_2019_sample.parquet',
  january_file: 'marketing/bts_mkt_2020_01_full_no_times.parquet',
};

/** A day after all flights of the sources. */
const EVERYTHING = '2020-02-01';
/** The test forecasts the brands of the flights from this day to the end of 2019. */
const TEST_FROM = '2019-10-01';

/**
 * Writes the flights from which the warehouse infers brands. Then tests the inference: infers brands from the flights
 * before October 2019, and prints for which share of the later flights the inferred brand is right.
 */
export async function writeBrandEvidence(dataDir: string): Promise<void> {
  const db = await openDatabase({ threads: 1 });
  try {
    await migrate(db);
    await collectFlights(db, dataDir, EVERYTHING);
    await db.setVariables({ target: BRAND_FLIGHTS_FILE });
    await db.run(
      `copy (from brand_flights order by all) to (getvariable('target'))
       (format parquet, compression zstd, compression_level 19)`,
    );
    const { size } = await stat(BRAND_FLIGHTS_FILE);
    console.log(`written to ${BRAND_FLIGHTS_FILE}, ${size} bytes`);
    const { hits, confidence } = await testInference(db, dataDir);
    for (const rows of [hits, confidence]) printFigures(rows);
  } finally {
    db.close();
  }
}

async function collectFlights(db: Database, dataDir: string, until: string): Promise<void> {
  const sources = Object.entries(SOURCES).map(([name, file]) => [name, path.join(dataDir, file)]);
  await db.setVariables({ ...Object.fromEntries(sources), until });
  await db.runFile('seed/brand_flights');
}

/**
 * Test result for a group of flights. `number` counts the flights. `right` is the share of flights with the right
 * inferred brand. `stated` is the mean stated confidence.
 */
export type BrandHits = { flights: string; number: number; right: number; stated: number };

/**
 * Infers the brands of the sample's flights from October to December 2019. Uses an empty warehouse and only the flights
 * before October. Returns two lists of results:
 * - `hits` has one result per kind of operator.
 * - `confidence` has one result per tenth of the stated confidence. It covers operators of several brands.
 */
export async function testInference(
  db: Database,
  dataDir: string,
): Promise<Record<'hits' | 'confidence', BrandHits[]>> {
  await collectFlights(db, dataDir, TEST_FROM);
  await db.run('insert into reference.brand_flights by name from brand_flights');
  await db.run(TEST_FLIGHTS, { from: TEST_FROM });
  await buildModel(db, 'marts/brand_shares');
  await db.run(JUDGED);
  return {
    hits: await db.rows<BrandHits>(HITS),
    confidence: await db.rows<BrandHits>(RELIABILITY),
  };
}

function printFigures(rows: BrandHits[]): void {
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  console.log(
    table(
      ['flights', 'number', 'right', 'stated'],
      rows.map((row) => [row.flights, String(row.number), percent(row.right), percent(row.stated)]),
    ),
  );
}

/** The test has each flight twice: with its brand, and without its brand, as if the source named only operators. */
const TEST_FLIGHTS = `
  create temp table test_flights as
  select fl_date::date as flight_date, op_unique_carrier as carrier, mkt_carrier as brand, origin, dest
  from read_parquet(getvariable('sample_file')) where fl_date::date >= $from::date;
  insert into raw.route_hours by name
  select date_trunc('month', flight_date)::date as month, carrier, origin, dest, 'arrival' as delay_basis,
    count(*)::integer as flight_count, 0 as cancelled_count, 0 as diverted_count, 0 as completed_count,
    0 as delayed15_count, 0 as delayed_count, 0 as delayed60_count, 0 as delayed120_count, 0 as delayed_min_sum
  from test_flights group by all`;

/**
 * The flights of the test, each with its inferred brand. If no brand is known, the inferred brand is the operator
 * itself.
 */
const JUDGED = `
  create temp table judged as
  with likeliest as (
    select carrier, origin, dest, year, arg_max(brand, share) as brand, any_value(confidence) as confidence
    from marts.brand_shares group by all
  )
  select test_flights.*, coalesce(likeliest.brand, test_flights.carrier) as inferred,
    coalesce(likeliest.confidence, 1) as confidence, likeliest.brand is not null as is_partner
  from test_flights
  left join likeliest on likeliest.carrier = test_flights.carrier and likeliest.origin = test_flights.origin
    and likeliest.dest = test_flights.dest and likeliest.year = year(flight_date)`;

const FIGURES = `count(*) as number, avg((inferred = brand)::integer) as right, avg(confidence) as stated`;

const HITS = `
  select flights, ${FIGURES}
  from (
    select *, unnest([
      'all',
      case when carrier in (select carrier from reference.brand_flights) then 'of operators that fly for others' end,
      case when carrier in (
        select carrier from reference.brand_flights group by carrier having count(distinct brand) > 1
      ) then 'of operators of several brands' end
    ]) as flights from judged
  ) as groups where flights is not null group by flights order by flights`;

const RELIABILITY = `
  select format('stated {:.1f} to {:.1f}', tenth / 10, (tenth + 1) / 10) as flights, ${FIGURES}
  from (
    select *, least(floor(confidence * 10), 9) as tenth from judged where carrier in (
      select carrier from reference.brand_flights group by carrier having count(distinct brand) > 1
    )
  ) as partners group by flights order by flights`;
