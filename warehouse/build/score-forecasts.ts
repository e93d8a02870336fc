import { existsSync } from 'node:fs';
import path from 'node:path';
import { openDatabase, readSql, type Database } from '../connect.ts';
import { ensureDir, listNames } from '../ground/files.ts';
import { temporaryPath, writeAtomically } from '../ground/temporary.ts';
import { listForecastFiles } from '../lake/forecasts/nights.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';
import type { RecordBin, RecordRow } from '../live/forecast-record.ts';
import { providerLakeDir } from '../paths.ts';
import { appendRows } from './append-rows.ts';

/**
 * Folders of files that can be computed again: forecasts that were compared with actual flights, and replayed
 * forecasts.
 */
const [SCORED, REPLAYED] = ['forecasts/scored', 'forecasts/replayed'];

/** The frozen forecasts, and the figures of all forecasts that were compared with actual flights. */
export type ScoredForecasts = {
  rows: RecordRow[];
  forecasts: number;
  /** Dates of the first and the last flight with a frozen forecast, `YYYY-MM-DD`; null without forecasts. */
  firstFlightDate: string | null;
  lastFlightDate: string | null;
};

/** A replayed forecast, as a row of the table `cases`. */
export type ReplayedCase = {
  month: string;
  provider: string;
  carrier: string;
  origin: string;
  dest: string;
  local_hour: number | null;
  slot: string;
  block: string;
  late_probability: number | null;
  disrupted_probability: number | null;
  completed_count: number;
  delayed_count: number;
  diverted_count: number;
  cancelled_count: number;
};

/**
 * Compares all frozen and replayed forecasts with the actual flights of the lake, and writes the cases and the figures
 * as Parquet files for `make sql`. Always compares all of them again, because months of the lake may have been replaced
 * or restored.
 */
export async function scoreForecasts(lakeDir: string): Promise<ScoredForecasts> {
  const db = await openScratch(lakeDir);
  try {
    await db.runFile('record/tables');
    const files = await listForecastFiles(lakeDir);
    const [span] = await db.rows<Omit<ScoredForecasts, 'rows'>>(await loadFrozen(db, files));
    if (files.length > 0) {
      await loadOutcomes(db, lakeDir);
      await db.runFile('record/live_cases');
    }
    for (const file of await listReplays(lakeDir)) {
      await db.run('insert into cases by name from read_parquet($file)', { file });
    }
    await db.runFile('record/figures');
    await writeTable(db, lakeDir, 'cases');
    await writeTable(db, lakeDir, 'figures');
    const rows = await db.rows<Omit<RecordRow, 'bins'> & { bins: RecordBin[] }>('from figures');
    return { rows, ...(span ?? { forecasts: 0, firstFlightDate: null, lastFlightDate: null }) };
  } finally {
    db.close();
  }
}

/** Replaces the replayed forecasts of a month. */
export async function writeReplay(
  lakeDir: string,
  month: string,
  cases: readonly ReplayedCase[],
): Promise<void> {
  const db = await openScratch(lakeDir);
  try {
    await db.runFile('record/tables');
    await appendRows(db, 'cases', cases);
    await db.run(`update cases set kind = 'replayed'`);
    const file = path.join(lakeDir, REPLAYED, `${month}.parquet`);
    await writeAtomically(file, (temporary) => copyTable(db, 'cases', temporary));
  } finally {
    db.close();
  }
}

/** Above this limit DuckDB writes to disk, because a worker and an API run on the same machine. */
const MEMORY_LIMIT = '600MB';

async function openScratch(lakeDir: string): Promise<Database> {
  return openDatabase({ memoryLimit: MEMORY_LIMIT, tempDir: temporaryPath(lakeDir) });
}

/** Loads the frozen forecasts, and returns SQL for their number and dates. */
async function loadFrozen(db: Database, files: string[]): Promise<string> {
  const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
  await (files.length === 0
    ? db.runFile('record/frozen')
    : db.run(
        `create view frozen_files as from read_parquet([${list}], hive_partitioning = false)`,
      ));
  return `select count(*) as forecasts, min(flight_date)::varchar as "firstFlightDate",
    max(flight_date)::varchar as "lastFlightDate" from ${files.length === 0 ? 'frozen' : 'frozen_files'}`;
}

/** Loads the actual flights of each provider for the months that have frozen forecasts. */
async function loadOutcomes(db: Database, lakeDir: string): Promise<void> {
  const forecast = await db.rows<{ provider: string; month: string }>(
    `select distinct provider, strftime(flight_date, '%Y-%m') as month from frozen_files`,
  );
  for (const [provider, rows] of Map.groupBy(forecast, (one) => one.provider)) {
    const ownLake = providerLakeDir(lakeDir, provider);
    if (!existsSync(ownLake)) continue;
    const months = new Set(rows.map(({ month }) => month));
    for (const { month, files, delayBasis } of await readManifests(ownLake)) {
      if (!months.has(month)) continue;
      const counts = await readSql(
        files.flights ? 'training/outcomes' : 'training/outcomes_of_hours',
      );
      const insert = (await readSql('record/insert_outcomes')).replace('$counts', `(${counts}\n)`);
      await db.run(insert, {
        ...{ provider, month_name: month, month: `${month}-01`, from: `${month}-01` },
        file: lakeFilePath(ownLake, month, files.flights ?? files.routeHours),
        delay_basis: delayBasis,
        // Without this share, missing counts are not inferred. A forecast is compared only with counts from the source.
        late_share: null,
      });
    }
  }
}

async function listReplays(lakeDir: string): Promise<string[]> {
  const folder = path.join(lakeDir, REPLAYED);
  const names = (await listNames(folder)).filter((name) => /^\d{4}-\d{2}\.parquet$/.test(name));
  return names.toSorted().map((name) => path.join(folder, name));
}

async function writeTable(db: Database, lakeDir: string, table: 'cases' | 'figures') {
  const file = path.join(lakeDir, SCORED, `${table}.parquet`);
  await ensureDir(path.dirname(file));
  await writeAtomically(file, (temporary) => copyTable(db, table, temporary));
}

function copyTable(db: Database, table: string, file: string): Promise<void> {
  return db.run(`copy ${table} to $file (format parquet, compression zstd)`, { file });
}
