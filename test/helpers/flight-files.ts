import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import { JSON_TABLES } from '../../pipelines/providers/index.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { openDatabase } from '../../warehouse/connect.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { lakeFilePath, readManifest, type MonthFiles } from '../../warehouse/lake/lake.ts';

/** Folder of the real files, beside the repository. */
export const REAL_FLIGHTS = path.join(import.meta.dirname, '../../../shared/data/flights');

/** Creates a folder that is removed at the end of the test. */
export async function aFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-flights-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A line of BTS's short form: DL 423 from JFK to LAX on 4 July 2018, on time. */
export function aFlight(changes: Record<string, string> = {}): Record<string, string> {
  return {
    FL_DATE: '2018-07-04',
    OP_UNIQUE_CARRIER: 'DL',
    TAIL_NUM: 'N101DL',
    OP_CARRIER_FL_NUM: '423',
    ORIGIN: 'JFK',
    DEST: 'LAX',
    CRS_DEP_TIME: '0800',
    DEP_TIME: '0800',
    DEP_DELAY: '0.00',
    CRS_ARR_TIME: '1130',
    ARR_TIME: '1130',
    ARR_DELAY: '0.00',
    CANCELLED: '0.00',
    CANCELLATION_CODE: '',
    DIVERTED: '0.00',
    DISTANCE: '2475.00',
    ...changes,
  };
}

/** Gives each flight a number of its own, so that equal rows are different flights. */
export function numberFlights(rows: Record<string, string>[]): Record<string, string>[] {
  return rows.map((row, index) => ({ ...row, OP_CARRIER_FL_NUM: String(index + 1) }));
}

/** Formats the rows as CSV, with the columns of the first row. */
export function toCsv(rows: Record<string, string>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}

/** Writes a file into a new folder and returns its path; gzips text if the name ends in `.gz`. */
export async function aFile(
  t: ExecutionContext,
  content: string | Uint8Array,
  name = 'flights.csv',
): Promise<string> {
  const file = path.join(await aFolder(t), name);
  const isText = typeof content === 'string' && name.endsWith('.gz');
  await writeFile(file, isText ? gzipSync(content) : content);
  return file;
}

/** Writes the rows of a query to a Parquet file and returns its path. */
export async function aParquet(t: ExecutionContext, query: string): Promise<string> {
  const file = path.join(await aFolder(t), 'flights.parquet');
  const db = await openDatabase({ threads: 1 });
  await db.run(`copy (${query}) to $file (format parquet)`, { file });
  db.close();
  return file;
}

export const NOW = new Date('2026-11-01T02:30:00Z');

/** Extracts the file into the lake; by default into a new one. */
export async function extractToLake(
  t: ExecutionContext,
  file: string,
  options: { lakeDir?: string; codeVersion?: string; year?: number; force?: boolean } = {},
) {
  const { lakeDir = await aFolder(t), codeVersion = 'test', year, force = false } = options;
  const deps = createExtractDeps({
    lakeDir,
    codeVersion,
    now: () => NOW,
    jsonTables: JSON_TABLES,
  });
  const request = { path: file, force, ...(year !== undefined && { year }) };
  const report = await extractFile(request, deps, () => undefined);
  return { lakeDir, report };
}

/** Returns the rows of one of a month's files, in the file's order; empty if the month has no such file. */
export async function lakeRows(
  lakeDir: string,
  month: string,
  kind: keyof MonthFiles,
  columns = '*',
): Promise<Record<string, unknown>[]> {
  const manifest = await readManifest(lakeDir, month);
  const file = manifest?.files[kind];
  return file ? parquetRows(lakeFilePath(lakeDir, month, file), columns) : [];
}

/** Returns the rows of a Parquet file, in the file's order. */
export async function parquetRows(file: string, columns = '*'): Promise<Record<string, unknown>[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    return await db.rows(`select ${columns} from read_parquet($file, hive_partitioning = false)`, {
      file,
    });
  } finally {
    db.close();
  }
}
