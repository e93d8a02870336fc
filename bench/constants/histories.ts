import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { openDatabase, type Database } from '../../warehouse/connect.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { lakeFilePath, readManifests } from '../../warehouse/lake/lake.ts';
import { migrate } from '../../warehouse/build/migrate.ts';

const SEED = path.join(import.meta.dirname, '../../warehouse/seed/route_hours.parquet');

/** Files of real flights with dates; the seed has no dates. See `docs/features.md`. */
const DATED_FILES = { nyc2017: 'nyc_2017.parquet', pnw2023: 'pnw_2023_01-10.parquet' };

/** January and October 2018, whole country, departure delays only. */
const DEPARTURES_2018 = 'us_2018_01_10_depdelay.parquet';

/** Inserts the months of `raw.route_hours` as loaded months. */
export const INSERT_LAKE_MONTHS = `
  insert into raw.lake_months by name
  select distinct
    month,
    '' as source_name,
    '' as source_sha256,
    '' as source_form,
    0 as rows_read,
    0 as rows_loaded,
    0 as rows_rejected,
    '' as code_version,
    '2026-01-01'::timestamptz as extracted_at,
    '2026-01-01'::timestamptz as loaded_at
  from raw.route_hours where month not in (select month from raw.lake_months)`;

/** A migrated database with the tables `history` (like `raw.route_hours`) and `days` (like `raw.airport_days`). */
export type History = { name: string; db: Database };

/**
 * Returns three histories whose months are predicted: the country in 2018; New York in 2017 and 2018, without a gap;
 * and Seattle-Portland in 2018 and, five years later, in 2023.
 */
export async function rateHistories(sourceDir: string): Promise<History[]> {
  return [
    await createHistory('US 2018', [], 'true'),
    await createHistory('NYC 2017-18', [source('nyc2017')], `origin in ('EWR', 'JFK', 'LGA')`),
    await createHistory('SEA/PDX 2018+23', [source('pnw2023')], `origin in ('SEA', 'PDX')`),
  ];

  function source(name: keyof typeof DATED_FILES) {
    return path.join(sourceDir, DATED_FILES[name]);
  }
}

/**
 * Returns the seed's year 2018 together with dated flights: New York in 2017, Seattle-Portland in 2023, and the country
 * in January and October 2018 (the latter with departure delays only).
 */
export async function seasonHistory(sourceDir: string): Promise<History> {
  const files = Object.values(DATED_FILES).map((file) => path.join(sourceDir, file));
  const datedHistory = await createHistory('dated', files, 'true');
  await datedHistory.db.run(
    `insert into days
     select FlightDate::date, Origin, count(*), count(*) filter (where DepDelay is null), count(DepDelay),
       count(*) filter (where DepDelay > 30)
     from read_parquet($file) group by all`,
    { file: path.join(sourceDir, DEPARTURES_2018) },
  );
  return datedHistory;
}

/**
 * Creates a history from two sets of flights: the seed's flights of 2018 that satisfy the condition, and the flights of
 * the files. Newer flights of the seed are left out, because some of these flights are also in the files.
 */
async function createHistory(name: string, files: string[], condition: string): Promise<History> {
  const db = await openDatabase();
  await migrate(db);
  await db.run(
    `create table history as from raw.route_hours limit 0;
     create table days as from raw.airport_days limit 0;
     insert into history by name select * from read_parquet($seed)
     where year(month) = 2018 and ${condition}`,
    { seed: SEED },
  );
  for (const file of files) await addFile(db, file);
  return { name, db };
}

async function addFile(db: Database, file: string): Promise<void> {
  const lakeDir = await mkdtemp(path.join(tmpdir(), 'headwind-backtest-'));
  try {
    await extractFile(
      { path: file },
      createExtractDeps({ lakeDir, codeVersion: 'backtest' }),
      () => undefined,
    );
    for (const { month, files } of await readManifests(lakeDir)) {
      const insert = async (table: string, lakeFile: typeof files.airportDays) => {
        if (!lakeFile) return;
        await db.run(
          `insert into ${table} by name from read_parquet($file, hive_partitioning = false)`,
          { file: lakeFilePath(lakeDir, month, lakeFile) },
        );
      };
      await insert('history', files.routeHours);
      await insert('days', files.airportDays);
    }
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}
