import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Database } from './connect.ts';
import { publishFile } from './durable.ts';
import type { DataPaths } from './paths.ts';

/** A lake month as the warehouse holds it. */
export type LoadedMonth = {
  /** `YYYY-MM`. */
  month: string;
  sourceName: string;
  sourceSha256: string;
  /** Rows of the source in it. */
  rows: number;
  /** Equal to that of the month's manifest while the lake holds nothing newer; ISO, UTC. */
  extractedAt: string;
  loadedAt: string;
};

/** Writes what the open warehouse holds beside its file. */
export async function writeSnapshot(db: Database, snapshotFile: string): Promise<void> {
  const rows = await db.rows<LoadedMonth>(LOADED_MONTHS);
  const temporary = `${snapshotFile}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify({ months: rows }, null, 1)}\n`);
  await publishFile(temporary, snapshotFile);
}

/** The months the warehouse held when a job last closed it, ascending; none when there is no DuckDB file. */
export async function readSnapshot({
  warehouseFile,
  snapshotFile,
}: Pick<DataPaths, 'warehouseFile' | 'snapshotFile'>): Promise<LoadedMonth[]> {
  if (!existsSync(warehouseFile)) return [];
  const text = await readFile(snapshotFile, 'utf8').catch(() => undefined);
  return text === undefined ? [] : (JSON.parse(text) as { months: LoadedMonth[] }).months;
}

const LOADED_MONTHS = `
  select
    strftime(month, '%Y-%m') as "month",
    source_name as "sourceName",
    source_sha256 as "sourceSha256",
    rows_loaded as "rows",
    extracted_at as "extractedAt",
    loaded_at as "loadedAt"
  from raw.lake_months
  order by all`;
