/** Returns true if a retry cannot fix the error. Our error classes set `isFinal`; other errors may be temporary. */
export function isFinal(error: unknown): error is Error & { isFinal: true } {
  return error instanceof Error && 'isFinal' in error && error.isFinal === true;
}

/** A newer version of the code has already migrated the database. */
export class WarehouseTooNewError extends Error {
  readonly isFinal = true;
  override readonly name = 'WarehouseTooNewError';
  readonly migration: string;

  constructor(migration: string) {
    super(
      `the warehouse has migration ${migration}, which this version does not know: update the code, or remove the .duckdb file and load the lake again`,
    );
    this.migration = migration;
  }
}

/** The lake does not have the requested month. */
export class LakeMonthMissingError extends Error {
  readonly isFinal = true;
  override readonly name = 'LakeMonthMissingError';
  readonly month: string;

  constructor(month: string, remedy = 'ingest it first') {
    super(`month ${month} is not in the lake: ${remedy}`);
    this.month = month;
  }
}

/** The requested version of a month does not exist. */
export class NoSuchVersionError extends Error {
  readonly isFinal = true;
  override readonly name = 'NoSuchVersionError';

  constructor(month: string, version: string) {
    super(
      `${month} has no version ${version}; to list its versions, run make status MONTH=${month}`,
    );
  }
}

/** Another process has the DuckDB file open. Only one process at a time can open the file. */
export class WarehouseBusyError extends Error {
  readonly isFinal = false;
  override readonly name = 'WarehouseBusyError';
  readonly file: string;
  /** The other process, for example `python3.11 (process 4711)`; `another process` if unknown. */
  readonly holder: string;

  constructor(file: string, options?: ErrorOptions) {
    const holder = holderOf(options?.cause);
    super(
      `${file} is open in ${holder}: tools that keep a file open should use warehouse-read.duckdb in the same folder`,
      options,
    );
    this.file = file;
    this.holder = holder;
  }
}

/** Parses the process from DuckDB's message: `Conflicting lock is held in /usr/bin/python3.11 (PID 4711)`. */
function holderOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const [, program, pid] = /held in (?:\S*\/)?([^\s/]+) \(PID (\d+)\)/.exec(message) ?? [];
  return program === undefined ? 'another process' : `${program} (process ${pid})`;
}

/** A user's query is not allowed. A query with a mistake in its SQL throws another error. */
export class QueryRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'QueryRefusedError';
}

/** The lake has no flights before the requested day, so there is no data for a forecast. */
export class HistoryMissingError extends Error {
  readonly isFinal = true;
  override readonly name = 'HistoryMissingError';

  constructor(day: string, options?: ErrorOptions) {
    super(`the lake has no flights before ${day} to learn from`, options);
  }
}

/** The content of the file does not match its manifest: the file is damaged, partly written or from another version. */
export class CorruptFileError extends Error {
  readonly isFinal = true;
  override readonly name = 'CorruptFileError';
  readonly file: string;

  constructor(file: string, detail: string, options?: ErrorOptions) {
    super(`${file}: ${detail}`, options);
    this.file = file;
  }
}

/** Redis did not answer in time. The command may still have run. */
export class RedisUnavailableError extends Error {
  readonly isFinal = false;
  override readonly name = 'RedisUnavailableError';
}

/**
 * The source is not a flight file that this code can read, so a retry cannot help. If the source could not be
 * downloaded, the error is `SourceOutageError`.
 */
export class SourceFormatError extends Error {
  readonly isFinal = true;
  override readonly name = 'SourceFormatError';
  readonly source: string;

  constructor(source: string, detail: string, options?: ErrorOptions) {
    super(`${source}: ${detail}`, options);
    this.source = source;
  }
}
