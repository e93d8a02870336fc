import { SourceRefusedError } from '../errors.ts';
import { btsFileName, namesMonth, type Month } from './months.ts';

/** Where the files of months come from: a server with BTS's file names, or a folder (absolute path). */
export type MonthSource = { kind: 'url'; base: string } | { kind: 'folder'; path: string };

const FLIGHT_FILE = /\.(?:zip|csv|csv\.gz|parquet)$/i;

/** The address of a month's file on a server. */
export function monthUrl(base: string, month: Month): string {
  return `${base.replace(/\/+$/, '')}/${btsFileName(month)}`;
}

/**
 * The file of a month among the names in a folder: BTS's own name, or else the one flight file whose name holds the
 * month. Undefined when there is none; throws SourceRefusedError when several could be meant.
 */
export function monthFileIn(folder: string, names: string[], month: Month): string | undefined {
  const bts = btsFileName(month);
  if (names.includes(bts)) return bts;
  const fitting = names.filter(
    (name) => !name.startsWith('.') && FLIGHT_FILE.test(name) && namesMonth(name, month),
  );
  if (fitting.length <= 1) return fitting[0];
  const list = fitting.toSorted().join(', ');
  throw new SourceRefusedError(folder, `several files could be ${month}: ${list}`);
}

/** The source in words, for tables and messages. */
export function sourceName(source: MonthSource): string {
  return source.kind === 'url' ? source.base : source.path;
}
