import { existsSync } from 'node:fs';
import path from 'node:path';
import { DuckDBTypeId, StatementType, type DuckDBConnection, type Json } from '@duckdb/node-api';
import { openInstance } from './connect.ts';
import { describeQuery } from './described-query.ts';
import { QueryRefusedError } from './errors.ts';

export type QueryResult = {
  columns: string[];
  /** Values in the form of JSON. A number that JSON cannot represent exactly is a text. */
  rows: Json[][];
  /** Whether the result has more than `maxRows` rows. */
  isTruncated: boolean;
  /** Heading of the results of DESCRIBE and SHOW TABLES. */
  about?: string;
};

export type QueryLimits = {
  maxRows: number;
  timeoutMs: number;
  /** A folder whose files a query may read in addition to the warehouse. */
  lakeDir?: string;
};

const MEMORY_LIMIT = '1GB';
const ONLY_SELECT = 'only SELECT is allowed: the warehouse is read-only';
/** For COPY and EXPORT, DuckDB refuses access to the file before it can report the type of the statement. */
const WRITE_STATEMENT = /^\s*(copy|export)\b/i;

/**
 * Runs one SELECT (or EXPLAIN, DESCRIBE, SHOW, SUMMARIZE) on the warehouse, which is opened read-only. The query can
 * read the warehouse and the files of the lake, but no other file. DESCRIBE and SHOW TABLES include comments. Throws
 * `QueryRefusedError` for any other statement, and `WarehouseBusyError` while a job has the warehouse open.
 */
export async function queryWarehouse(
  warehouseFile: string,
  sql: string,
  limits: QueryLimits,
): Promise<QueryResult> {
  if (!existsSync(warehouseFile)) throw new QueryRefusedError('nothing is loaded yet');
  const instance = await openInstance({
    path: warehouseFile,
    memoryLimit: MEMORY_LIMIT,
    readOnly: true,
  });
  try {
    const connection = await instance.connect();
    try {
      if (limits.lakeDir !== undefined) {
        const folder = path.resolve(limits.lakeDir).replaceAll("'", "''");
        await connection.run(`set allowed_directories = ['${folder}/']`);
      }
      // Set this option last, and then lock the settings, so that the user's statement cannot change them.
      await connection.run('set enable_external_access = false');
      await connection.run('set lock_configuration = true');
      const description = await describeQuery(connection, sql);
      if (!description) return await runQuery(connection, sql, limits);
      const result = await runQuery(connection, description.sql, limits);
      return { ...result, about: description.about };
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
async function runQuery(
  connection: DuckDBConnection,
  sql: string,
  { maxRows, timeoutMs }: QueryLimits,
): Promise<QueryResult> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new QueryRefusedError('only one statement is allowed');
  const statement = await statements.prepare(0).catch((cause: unknown) => {
    throw (
      (WRITE_STATEMENT.test(sql)
        ? new QueryRefusedError(ONLY_SELECT, { cause })
        : toOutsideLakeError(cause)) ?? cause
    );
  });
  const { SELECT, EXPLAIN } = StatementType;
  if (statement.statementType !== SELECT && statement.statementType !== EXPLAIN) {
    throw new QueryRefusedError(ONLY_SELECT);
  }
  let hasTimedOut = false;
  // Interrupts repeatedly, because an interruption before the query starts has no effect.
  const timer = setInterval(() => {
    hasTimedOut = true;
    connection.interrupt();
  }, timeoutMs);
  try {
    // Reads one row more than the limit, to find out whether the result has more rows.
    const reader = await statement.streamAndReadUntil(maxRows + 1);
    const isWholeNumber = reader.columnTypes().map(({ typeId }) => WHOLE_NUMBER_TYPES.has(typeId));
    const rows = reader
      .getRowsJson()
      .map((row) =>
        row.map((value, column) => (isWholeNumber[column] ? numberIfExact(value) : value)),
      );
    return {
      columns: reader.deduplicatedColumnNames(),
      rows: rows.slice(0, maxRows),
      isTruncated: rows.length > maxRows,
    };
  } catch (cause) {
    if (!hasTimedOut) throw toOutsideLakeError(cause) ?? cause;
    throw new QueryRefusedError(`the query took more than ${timeoutMs / 1_000} s and was stopped`, {
      cause,
    });
  } finally {
    clearInterval(timer);
  }
}

/**
 * Converts DuckDB's error about a file outside the lake to our error; undefined for any other error. DuckDB has no
 * error codes, so its message is compared.
 */
function toOutsideLakeError(cause: unknown): QueryRefusedError | undefined {
  const message = cause instanceof Error ? cause.message : '';
  const [, file] = /Cannot access file "([^"]*)"/.exec(message) ?? [];
  return file === undefined
    ? undefined
    : new QueryRefusedError(
        `${file} is not in this lake; if DATA_DIR was moved, run make features to update the views`,
        { cause },
      );
}

const WHOLE_NUMBER_TYPES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);

/** Converts a wide whole number, which DuckDB returns as text, to a JavaScript number if the conversion is exact. */
function numberIfExact(value: Json): Json {
  const number = Number(value);
  return typeof value === 'string' && Number.isSafeInteger(number) ? number : value;
}
