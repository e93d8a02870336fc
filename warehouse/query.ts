import { existsSync } from 'node:fs';
import path from 'node:path';
import { DuckDBTypeId, StatementType, type DuckDBConnection, type Json } from '@duckdb/node-api';
import { openInstance } from './connect.ts';
import { explainedBy } from './described-query.ts';
import { QueryRefusedError } from './errors.ts';

export type QueryResult = {
  columns: string[];
  /** Values as JSON has them: what it cannot hold exactly is text. */
  rows: Json[][];
  /** There are more rows than were asked for. */
  isCut: boolean;
  /** What the columns are of, where it was asked what something is. */
  about?: string;
};

export type QueryLimits = {
  maxRows: number;
  timeoutMs: number;
  /** A folder whose files may be read beside the warehouse's own. */
  lakeDir?: string;
};

const MEMORY_LIMIT = '1GB';
const ONLY_SELECT = 'only a SELECT can be answered: the warehouse is open for reading';
/** Such a statement is refused for its file before it is known for what it is. */
const WRITING = /^\s*(copy|export)\b/i;

/**
 * Answers one SELECT (or EXPLAIN, DESCRIBE, SHOW, SUMMARIZE) from the warehouse, which is opened for reading only and
 * can reach no file besides its own and those of the lake. DESCRIBE and SHOW TABLES tell comments too. Throws
 * `QueryRefusedError` for anything else, `WarehouseBusyError` while a job has it.
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
      // Locked last: the statement cannot undo what was set before it.
      await connection.run('set enable_external_access = false');
      await connection.run('set lock_configuration = true');
      const explained = await explainedBy(connection, sql);
      if (!explained) return await answer(connection, sql, limits);
      const result = await answer(connection, explained.sql, limits);
      return { ...result, about: explained.about };
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
async function answer(
  connection: DuckDBConnection,
  sql: string,
  { maxRows, timeoutMs }: QueryLimits,
): Promise<QueryResult> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new QueryRefusedError('one statement at a time');
  const statement = await statements.prepare(0).catch((cause: unknown) => {
    throw (
      (WRITING.test(sql) ? new QueryRefusedError(ONLY_SELECT, { cause }) : outside(cause)) ?? cause
    );
  });
  const { SELECT, EXPLAIN } = StatementType;
  if (statement.statementType !== SELECT && statement.statementType !== EXPLAIN) {
    throw new QueryRefusedError(ONLY_SELECT);
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection.interrupt();
  }, timeoutMs);
  try {
    // One more than shown tells whether there are more.
    const reader = await statement.streamAndReadUntil(maxRows + 1);
    const isWhole = reader.columnTypes().map(({ typeId }) => WHOLE_NUMBERS.has(typeId));
    const rows = reader
      .getRowsJson()
      .map((row) => row.map((value, column) => (isWhole[column] ? numberIfExact(value) : value)));
    return {
      columns: reader.deduplicatedColumnNames(),
      rows: rows.slice(0, maxRows),
      isCut: rows.length > maxRows,
    };
  } catch (cause) {
    if (!isLate) throw outside(cause) ?? cause;
    throw new QueryRefusedError(`it took more than ${timeoutMs / 1_000} s and was stopped`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** DuckDB gives no error codes: what it says of a file that is not of the lake; undefined for anything else. */
function outside(cause: unknown): QueryRefusedError | undefined {
  const message = cause instanceof Error ? cause.message : '';
  const [, file] = /Cannot access file "([^"]*)"/.exec(message) ?? [];
  return file === undefined
    ? undefined
    : new QueryRefusedError(
        `${file} is no file of this lake; where DATA_DIR was moved, make features has the views follow it`,
        { cause },
      );
}

const WHOLE_NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);

/** DuckDB gives wide whole numbers as text; those a number holds exactly are numbers. */
function numberIfExact(value: Json): Json {
  const number = Number(value);
  return typeof value === 'string' && Number.isSafeInteger(number) ? number : value;
}
