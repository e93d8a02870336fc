import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Database } from './connect.ts';
import { intoPlace } from './ground/into-place.ts';
import type { DataPaths } from './paths.ts';

/** A lake month, of flights or of the delay-cause table, as the warehouse holds it. */
export type LoadedMonth = {
  /** `YYYY-MM`. */
  month: string;
  sourceName: string;
  sourceSha256: string;
  /** Rows of the source in it. */
  rows: number;
  /** Scheduled flights they stand for; absent of the delay-cause table, and where older code wrote it. */
  flights?: number;
  /** Equal to that of the month's manifest while the lake holds nothing newer; ISO, UTC. */
  extractedAt: string;
  loadedAt: string;
};

/** Writes what the open warehouse holds beside its file. */
export async function writeSnapshot(db: Database, snapshotFile: string): Promise<void> {
  const months = await db.rows<LoadedMonth>(
    `select * replace (coalesce("flights", 0) as "flights") from (${loadedIn('raw.lake_months')}) left join (${FLIGHTS}) using ("month") order by "month"`,
  );
  const levels = await db.rows<LoadedMonth>(loadedIn('raw.delay_cause_months'));
  const text = `${JSON.stringify({ months, levels }, null, 1)}\n`;
  await intoPlace(snapshotFile, (temporary) => writeFile(temporary, text));
}

/** The months the warehouse held when a job last closed it, ascending; none when there is no DuckDB file. */
export async function readSnapshot(paths: SnapshotPaths): Promise<LoadedMonth[]> {
  return (await readBoth(paths)).months ?? [];
}

/** The same of the delay-cause table. */
export async function readLevelSnapshot(paths: SnapshotPaths): Promise<LoadedMonth[]> {
  return (await readBoth(paths)).levels ?? [];
}

type SnapshotPaths = Pick<DataPaths, 'warehouseFile' | 'snapshotFile'>;

/** One from before there was such a table has no levels. */
async function readBoth({
  warehouseFile,
  snapshotFile,
}: SnapshotPaths): Promise<{ months?: LoadedMonth[]; levels?: LoadedMonth[] }> {
  if (!existsSync(warehouseFile)) return {};
  const text = await readFile(snapshotFile, 'utf8').catch(() => undefined);
  return text === undefined ? {} : JSON.parse(text);
}

function loadedIn(table: 'raw.lake_months' | 'raw.delay_cause_months'): string {
  return `
    select
      strftime(month, '%Y-%m') as "month",
      source_name as "sourceName",
      source_sha256 as "sourceSha256",
      rows_loaded as "rows",
      extracted_at as "extractedAt",
      loaded_at as "loadedAt"
    from ${table}
    order by all`;
}

const FLIGHTS = `
  select strftime(month, '%Y-%m') as "month", sum(flight_count)::bigint as "flights"
  from raw.route_hours group by all`;
