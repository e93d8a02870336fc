import { SourceRefusedError } from '../errors.ts';
import { BTS_TABLES, btsFileName, containsMonth, type BtsTable, type Month } from './months.ts';

/**
 * A server that uses BTS's file names. `table` is the table to fetch; if absent, the marketing-carrier table is
 * fetched.
 */
export type MonthServer = { base: string; table?: BtsTable };

/** The place of the monthly files: a server, or a folder (absolute path). */
export type MonthSource = ({ kind: 'url' } & MonthServer) | { kind: 'folder'; path: string };

const FLIGHT_FILE = /\.(?:zip|csv|csv\.gz|parquet)$/i;

/** Returns the address of a month's file on a server. */
export function monthUrl({ base, table }: MonthServer, month: Month): string {
  return `${base.replace(/\/+$/, '')}/${btsFileName(month, table)}`;
}

/**
 * Returns the name of a month's file in a folder; undefined if no file matches. Prefers a file with BTS's own name:
 * first the name of the marketing-carrier table, then the name of the reporting-carrier table. Otherwise, a flight file
 * matches if its name contains the month. Throws SourceRefusedError if several files match.
 */
export function monthFileIn(folder: string, names: string[], month: Month): string | undefined {
  const bts = BTS_TABLES.map((table) => btsFileName(month, table)).find((name) =>
    names.includes(name),
  );
  if (bts !== undefined) return bts;
  const matches = names.filter(
    (name) => !name.startsWith('.') && FLIGHT_FILE.test(name) && containsMonth(name, month),
  );
  if (matches.length <= 1) return matches[0];
  const list = matches.toSorted().join(', ');
  throw new SourceRefusedError(folder, `several files match ${month}: ${list}`);
}

/** Returns the address or folder of a source, for tables and messages. */
export function sourceName(source: MonthSource): string {
  return source.kind === 'url' ? source.base : source.path;
}
