import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Database } from './connect.ts';
import type { DataPaths } from './paths.ts';
import { writeAtomically } from './ground/temporary.ts';

/** A loaded month of flights or of the delay-cause table. */
export type LoadedMonth = {
  /** `YYYY-MM`. */
  month: string;
  sourceName: string;
  sourceSha256: string;
  /** Rows of the source in this month. */
  rows: number;
  /** Scheduled flights in the rows of the month; absent for the delay-cause table. */
  flights?: number;
  /** Null or absent for the delay-cause table. */
  completeness?: Completeness | null;
  /**
   * Time of extraction, ISO in UTC. It equals `extractedAt` in the month's manifest, unless the lake has a newer
   * version.
   */
  extractedAt: string;
  loadedAt: string;
};

/** Completeness of a month of flights. */
export type Completeness = {
  /**
   * `whole`: all flights that airlines report. `partial`: the flights of some airports, airlines, routes or days.
   * `sample`: single flights from most groups.
   */
  kind: 'whole' | 'partial' | 'sample';
  /**
   * Share of the flights in the delay-cause table that are also in the month. Null if the lake does not have the
   * delay-cause table of the month.
   */
  tableShare: number | null;
  /** Number of days with flights; null if the flights have no dates. */
  days: number | null;
  /** Number of days in the calendar month. */
  monthDays: number;
  /** Airports of departure. */
  airports: number;
  airlines: number;
};

/** SQL that builds a `Completeness` from the columns of `compare/completeness`. */
export const COMPLETENESS_COLUMNS = `{ kind: kind, "tableShare": table_share, days: day_count,
  "monthDays": month_days, airports: airport_count, airlines: airline_count }`;

/** Writes the list of loaded months to a file beside the open warehouse. */
export async function writeSnapshot(db: Database, snapshotFile: string): Promise<void> {
  const months = await db.rows<LoadedMonth>(
    `select * replace (coalesce("flights", 0) as "flights") from (${loadedMonthsSql('raw.lake_months')})
     left join (${FLIGHTS_PER_MONTH}) using ("month") left join (${COMPLETENESS_PER_MONTH}) using ("month")
     order by "month"`,
  );
  const levels = await db.rows<LoadedMonth>(loadedMonthsSql('raw.delay_cause_months'));
  const text = `${JSON.stringify({ months, levels }, null, 1)}\n`;
  await writeAtomically(snapshotFile, (temporary) => writeFile(temporary, text));
}

/**
 * Reads the months that were loaded when a job last closed the warehouse, ascending. Empty if there is no DuckDB file.
 */
export async function readSnapshot(paths: SnapshotPaths): Promise<LoadedMonth[]> {
  return (await parseSnapshot(paths)).months ?? [];
}

/** Reads the loaded months of the delay-cause table, ascending. Empty if there is no DuckDB file. */
export async function readLevelSnapshot(paths: SnapshotPaths): Promise<LoadedMonth[]> {
  return (await parseSnapshot(paths)).levels ?? [];
}

type SnapshotPaths = Pick<DataPaths, 'warehouseFile' | 'snapshotFile'>;

/** Parses the file with the list of months. Empty if there is no DuckDB file. */
async function parseSnapshot({
  warehouseFile,
  snapshotFile,
}: SnapshotPaths): Promise<{ months?: LoadedMonth[]; levels?: LoadedMonth[] }> {
  if (!existsSync(warehouseFile)) return {};
  const text = await readFile(snapshotFile, 'utf8').catch(() => undefined);
  return text === undefined ? {} : JSON.parse(text);
}

function loadedMonthsSql(table: 'raw.lake_months' | 'raw.delay_cause_months'): string {
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

const FLIGHTS_PER_MONTH = `
  select strftime(month, '%Y-%m') as "month", sum(flight_count)::bigint as "flights"
  from raw.route_hours group by all`;

const COMPLETENESS_PER_MONTH = `
  select strftime(month, '%Y-%m') as "month", ${COMPLETENESS_COLUMNS} as "completeness"
  from raw.month_completeness`;
