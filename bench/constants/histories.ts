import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { openDatabase, type Database } from '../../warehouse/connect.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { lakeFilePath, readManifests } from '../../warehouse/lake/lake.ts';
import { migrate } from '../../warehouse/build/migrate.ts';

const SEED = path.join(import.meta.dirname, '../../warehouse/seed/route_hours.parquet');

/** Real flights with dates, beside the seed; see `docs/features.md`. */
const DATED_FILES = { nyc2017: 'nyc_2017.parquet', pnw2023: 'pnw_2023_01-10.parquet' };

/** January and October 2018, the whole country, departure delays only. */
const DEPARTURES_2018 = 'us_2018_01_10_depdelay.parquet';

/** Makes the months of `raw.route_hours` those that are loaded. */
export const NOTE_MONTHS = `
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

/** A migrated database with the table `history` (as `raw.route_hours`) and `days` (as `raw.airport_days`). */
export type History = { name: string; db: Database };

/**
 * Three histories to predict the months of: the country in 2018, New York in 2017 and 2018 without a gap, and
 * Seattle-Portland in 2018 and, five years on, 2023.
 */
export async function rateHistories(sourceDir: string): Promise<History[]> {
  return [
    await history('US 2018', [], 'true'),
    await history('NYC 2017-18', [source('nyc2017')], `origin in ('EWR', 'JFK', 'LGA')`),
    await history('SEA/PDX 2018+23', [source('pnw2023')], `origin in ('SEA', 'PDX')`),
  ];

  function source(name: keyof typeof DATED_FILES) {
    return path.join(sourceDir, DATED_FILES[name]);
  }
}

/** The seed's 2018, and the days of New York 2017, Seattle-Portland 2023 and, by departure delay, the country in January and October 2018. */
export async function seasonHistory(sourceDir: string): Promise<History> {
  const files = Object.values(DATED_FILES).map((file) => path.join(sourceDir, file));
  const dated = await history('dated', files, 'true');
  await dated.db.run(
    `insert into days
     select FlightDate::date, Origin, count(*), count(*) filter (where DepDelay is null), count(DepDelay),
       count(*) filter (where DepDelay > 30)
     from read_parquet($file) group by all`,
    { file: path.join(sourceDir, DEPARTURES_2018) },
  );
  return dated;
}

/** The seed's flights of 2018 that satisfy the condition, with those of the files: its newer ones are some of the same. */
async function history(name: string, files: string[], condition: string): Promise<History> {
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
      const insert = async (table: string, of: typeof files.airportDays) => {
        if (!of) return;
        await db.run(
          `insert into ${table} by name from read_parquet($file, hive_partitioning = false)`,
          { file: lakeFilePath(lakeDir, month, of) },
        );
      };
      await insert('history', files.routeHours);
      await insert('days', files.airportDays);
    }
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}
