import { joinNumbers } from './ground/numbers.ts';
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

/** Values for the `$name` parameters of statements. A value that a statement does not name is ignored. */
export type Params = Record<string, string | number | bigint | boolean | null>;

/**
 * A value outside DuckDB. Dates are text (`YYYY-MM-DD`), timestamps are `Date` objects, and integers of any width are
 * numbers.
 */
export type Cell = string | number | boolean | Date | null | Uint8Array | Cell[] | CellObject;
export type CellObject = { [key: string]: Cell };

export type Database = {
  /** Runs statements in order. */
  run: (sql: string, params?: Params) => Promise<void>;
  /** Runs a file of `warehouse/sql`, named without `.sql`, for example `marts/network`. */
  runFile: (name: string, params?: Params) => Promise<void>;
  /** Sets variables for `getvariable`, because views take no parameters. */
  setVariables: (variables: Params) => Promise<void>;
  /** Runs statements and returns the rows of the last statement as objects by column name. */
  rows: <Row>(sql: string, params?: Params) => Promise<Row[]>;
  /** Runs a file of `warehouse/sql` and returns the rows of its last statement. */
  fileRows: <Row>(name: string, params?: Params) => Promise<Row[]>;
  /** Runs a file with one statement and returns the numbers of the result by column name; null becomes NaN. */
  fileColumns: (name: string, params?: Params) => Promise<Record<string, Float64Array>>;
  /** Appends rows to a table, given as one array of values per column. */
  append: (table: string, columns: readonly (readonly DuckDBValue[])[]) => Promise<void>;
  /** Ends the running query, which then throws an error of DuckDB. */
  interrupt: () => void;
  /** Closes the connection and the instance, so that other processes can open the file. */
  close: () => void;
};

export type DatabaseOptions = {
  /** Database file; absent for a database in memory. */
  path?: string;
  /** Memory that DuckDB may use before it writes to disk, for example `1GB`. */
  memoryLimit?: string;
  /** Folder for data that does not fit into memory. Default: beside the database file, if there is one. */
  tempDir?: string;
  threads?: number;
  readOnly?: boolean;
};

/** Maximum number of rows in one chunk of DuckDB. */
const CHUNK_ROWS = 2048;

const SQL_DIR = path.join(import.meta.dirname, 'sql');

/** Reads a file of `warehouse/sql`, named without `.sql`. */
export async function readSql(name: string): Promise<string> {
  return readFile(path.join(SQL_DIR, `${name}.sql`), 'utf8');
}

/** The open connections of this process, for `interruptQueries`. */
const openConnections = new Set<DuckDBConnection>();

/** Ends the running queries of all databases that this process has open. They throw an error of DuckDB. */
export function interruptQueries(): void {
  for (const connection of openConnections) connection.interrupt();
}

/**
 * Opens a DuckDB instance with one connection. Only one process at a time can open a file for writing. Throws
 * `WarehouseBusyError` if another process has the file open.
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
  openConnections.add(connection);
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
    interrupt: () => connection.interrupt(),
    append: (table, columns) => appendColumns(connection, table, columns),
    close: () => {
      openConnections.delete(connection);
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Opens a DuckDB instance; throws `WarehouseBusyError` if another process has the file open. */
export async function openInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  const file = options.path ?? ':memory:';
  try {
    return await DuckDBInstance.create(file, instanceSettings(options));
  } catch (cause) {
    // DuckDB has no error codes, so the message is compared.
    const isBusy = cause instanceof Error && cause.message.includes('Could not set lock on file');
    throw isBusy ? new WarehouseBusyError(file, { cause }) : cause;
  }
}

/**
 * Share of the process's memory cap that one database may use. Node and a second database need the remaining memory.
 */
const MAX_SHARE_OF_CAP = 0.4;

/**
 * Lowers DuckDB's memory limit to fit `cap`, the memory cap of the process in bytes. With the lower limit, a large
 * query writes to disk or fails with an error. Without it, the kernel would kill the process. If the process has no
 * memory cap, `cap` is larger than the memory of any machine.
 */
export function capMemory(limit: string, cap: number): string {
  const megabytes = /^(\d+)MB$/.exec(limit)?.[1] ?? Number(/^(\d+)GB$/.exec(limit)?.[1]) * 1000;
  const share = Math.floor((cap * MAX_SHARE_OF_CAP) / 1e6);
  return cap > 0 && share < Number(megabytes) ? `${share}MB` : limit;
}

function instanceSettings(options: DatabaseOptions): Record<string, string> {
  const settings = {
    memory_limit:
      options.memoryLimit && capMemory(options.memoryLimit, process.constrainedMemory()),
    temp_directory: options.tempDir,
    threads: options.threads?.toString(),
    access_mode: options.readOnly ? 'READ_ONLY' : undefined,
    // A query must never download an extension.
    autoinstall_known_extensions: 'false',
  };
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function readColumns(connection: DuckDBConnection, sql: string, params: Params = {}) {
  // Streams the result. Otherwise the whole result would be in memory twice, in DuckDB and here.
  const result = await connection.stream(sql, params);
  const pieces = result.columnNames().map((name) => ({ name, numbers: [] as Float64Array[] }));
  for await (const chunk of result) {
    for (const [column, { numbers }] of pieces.entries()) {
      const values = new Float64Array(chunk.rowCount);
      // `getColumnValues` would first fill an array of objects, which takes twice as long.
      chunk.visitColumnValues(column, (value, row) => {
        values[row] = value === null ? Number.NaN : Number(value);
      });
      numbers.push(values);
    }
  }
  return Object.fromEntries(pieces.map(({ name, numbers }) => [name, joinNumbers(numbers)]));
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
    // Prepare a statement only now, because it may need a relation that an earlier statement created.
    const statement = await statements.prepare(index);
    try {
      for (let i = 1; i <= statement.parameterCount; i++) {
        const name = statement.parameterName(i);
        const value = params[name];
        if (value === undefined) throw new TypeError(`no value for parameter $${name}`);
        statement.bindValue(i, value);
      }
      if (index < statements.count - 1) await statement.run();
      else rows = (await statement.runAndReadAll()).convertRowObjects(toCell) as CellObject[];
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
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is not a safe integer`);
  return number;
}

/** Runs `work` in one transaction; rolls the transaction back if `work` throws. */
export async function inTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await db.run('begin');
  try {
    const result = await work();
    await db.run('commit');
    return result;
  } catch (error) {
    // If the commit failed, the transaction has already ended, so the rollback fails too. Ignore that error, because
    // the caller needs the error of the commit.
    await db.run('rollback').catch(() => undefined);
    throw error;
  }
}
