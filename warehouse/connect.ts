import { sum } from './ground/sum.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  JSDuckDBValueConverter,
} from '@duckdb/node-api';
import { WarehouseBusyError } from './errors.ts';

/** Values bound to the `$name` parameters of a statement; each statement takes those it names. */
export type Params = Record<string, string | number | bigint | boolean | null>;

/** What a cell is outside DuckDB: dates are `YYYY-MM-DD`, timestamps `Date`, integers of any width numbers. */
export type Cell = string | number | boolean | Date | null | Uint8Array | Cell[] | CellObject;
export type CellObject = { [key: string]: Cell };

export type Database = {
  /** Runs the statements in order, each with the parameters it names. */
  run: (sql: string, params?: Params) => Promise<void>;
  /** Runs a file of `warehouse/sql`, named without `.sql`, for example `marts/network`. */
  runFile: (name: string, params?: Params) => Promise<void>;
  /** Sets variables that `getvariable` reads: for what a view rests on, which takes no parameters. */
  setVariables: (variables: Params) => Promise<void>;
  /** Rows of the last statement as plain objects under their column names. */
  rows: <Row>(sql: string, params?: Params) => Promise<Row[]>;
  /** Rows of the last statement of a file of `warehouse/sql`. */
  fileRows: <Row>(name: string, params?: Params) => Promise<Row[]>;
  /** Numbers of a file's only statement, column by column under their names; null is NaN. */
  fileColumns: (name: string, params?: Params) => Promise<Record<string, Float64Array>>;
  /** Adds rows to a table, given as one array of values a column. */
  append: (table: string, columns: readonly (readonly DuckDBValue[])[]) => Promise<void>;
  /** Ends the connection and the instance; a database file can be opened by others again. */
  close: () => void;
};

export type DatabaseOptions = {
  /** Database file; absent is an instance in memory. */
  path?: string;
  /** Most memory DuckDB may take before it spills, for example `1GB`. */
  memoryLimit?: string;
  /** Where it spills; absent is beside the database file, or nowhere for an instance in memory. */
  tempDir?: string;
  threads?: number;
  readOnly?: boolean;
};

/** As many as DuckDB takes at once. */
const CHUNK_ROWS = 2048;

const SQL_DIR = path.join(import.meta.dirname, 'sql');

/** The text of a file of `warehouse/sql`, named without `.sql`. */
export async function readSql(name: string): Promise<string> {
  return readFile(path.join(SQL_DIR, `${name}.sql`), 'utf8');
}

/**
 * Opens an instance with one connection. One process at a time may open a file for writing:
 * `WarehouseBusyError` when another has it.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const instance = await openInstance(options);
  let connection: DuckDBConnection;
  try {
    connection = await instance.connect();
  } catch (error) {
    instance.closeSync();
    throw error;
  }
  const rows = async <Row>(sql: string, params?: Params) =>
    (await runEach(connection, sql, params)) as Row[];
  const run = async (sql: string, params?: Params) => {
    await runEach(connection, sql, params);
  };
  return {
    run,
    rows,
    setVariables: async (variables) => {
      for (const [name, value] of Object.entries(variables)) {
        await run(`set variable ${name} = $value`, { value });
      }
    },
    runFile: async (name, params) => run(await readSql(name), params),
    fileRows: async (name, params) => rows(await readSql(name), params),
    fileColumns: async (name, params) => readColumns(connection, await readSql(name), params),
    append: (table, columns) => appendColumns(connection, table, columns),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** A DuckDB instance; throws `WarehouseBusyError` when another process has the file. */
export async function openInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  const file = options.path ?? ':memory:';
  try {
    return await DuckDBInstance.create(file, settings(options));
  } catch (cause) {
    // DuckDB gives no error codes.
    const isBusy = cause instanceof Error && cause.message.includes('Could not set lock on file');
    throw isBusy ? new WarehouseBusyError(file, { cause }) : cause;
  }
}

/** Of what the control group of the process may hold, for one database; the rest is for Node and a second one. */
const SHARE_OF_CAP = 0.4;

/**
 * The limit, lower where the process is kept to less memory: a query that needs more spills to disk, or fails and says so, in
 * place of the process being killed. `cap` is in bytes; none is a number beyond any machine's.
 */
export function withinCap(limit: string, cap: number): string {
  const megabytes = /^(\d+)MB$/.exec(limit)?.[1] ?? Number(/^(\d+)GB$/.exec(limit)?.[1]) * 1000;
  const share = Math.floor((cap * SHARE_OF_CAP) / 1e6);
  return cap > 0 && share < Number(megabytes) ? `${share}MB` : limit;
}

function settings(options: DatabaseOptions): Record<string, string> {
  const given = {
    memory_limit:
      options.memoryLimit && withinCap(options.memoryLimit, process.constrainedMemory()),
    temp_directory: options.tempDir,
    threads: options.threads?.toString(),
    access_mode: options.readOnly ? 'READ_ONLY' : undefined,
    // Nothing is ever fetched while a query runs: no extension is looked for on the network.
    autoinstall_known_extensions: 'false',
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function readColumns(connection: DuckDBConnection, sql: string, params: Params = {}) {
  const result = await connection.run(sql, params);
  const chunks = await result.fetchAllChunks();
  const rowCount = sum(chunks.map((chunk) => chunk.rowCount));
  const columns = result.columnNames().map((name, column): [string, Float64Array] => {
    const numbers = new Float64Array(rowCount);
    let from = 0;
    for (const chunk of chunks) {
      for (const value of chunk.getColumnValues(column)) {
        numbers[from++] = value === null ? Number.NaN : Number(value);
      }
    }
    return [name, numbers];
  });
  return Object.fromEntries(columns);
}

async function appendColumns(
  connection: DuckDBConnection,
  table: string,
  columns: readonly (readonly DuckDBValue[])[],
): Promise<void> {
  const appender = await connection.createAppender(table);
  try {
    const types = columns.map((_, column) => appender.columnType(column));
    const rows = columns[0]?.length ?? 0;
    for (let from = 0; from < rows; from += CHUNK_ROWS) {
      const chunk = DuckDBDataChunk.create(types);
      chunk.setColumns(columns.map((values) => values.slice(from, from + CHUNK_ROWS)));
      appender.appendDataChunk(chunk);
    }
  } finally {
    appender.closeSync();
  }
}

async function runEach(connection: DuckDBConnection, sql: string, params: Params = {}) {
  const statements = await connection.extractStatements(sql);
  let rows: CellObject[] = [];
  for (let index = 0; index < statements.count; index++) {
    // Prepared one by one: a statement may use what the one before it created.
    const statement = await statements.prepare(index);
    try {
      for (let i = 1; i <= statement.parameterCount; i++) {
        const name = statement.parameterName(i);
        const value = params[name];
        if (value === undefined) throw new TypeError(`no value for parameter $${name}`);
        statement.bindValue(i, value);
      }
      const last = index === statements.count - 1;
      if (last) rows = (await statement.runAndReadAll()).convertRowObjects(toCell) as CellObject[];
      else await statement.run();
    } finally {
      statement.destroySync();
    }
  }
  return rows;
}

const toCell: DuckDBValueConverter<Cell> = (value: DuckDBValue, type) => {
  if (value === null) return null;
  switch (type.typeId) {
    case DuckDBTypeId.DATE:
      return String(value);
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return safeNumber(value as bigint);
    default:
      return JSDuckDBValueConverter(value, type, toCell as never) as Cell;
  }
};

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is no exact number`);
  return number;
}

/** Runs the work in one transaction: all of it is kept, or none when it throws. */
export async function inTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await db.run('begin');
  try {
    const result = await work();
    await db.run('commit');
    return result;
  } catch (error) {
    // A commit that failed has ended the transaction already; what matters is why.
    await db.run('rollback').catch(() => undefined);
    throw error;
  }
}
