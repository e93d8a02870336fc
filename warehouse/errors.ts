/** Whether trying again cannot help. Every error class of ours says so of itself; of any other it may. */
export function isFinal(error: unknown): error is Error & { isFinal: true } {
  return error instanceof Error && 'isFinal' in error && error.isFinal === true;
}

/** The database was migrated by newer code than this. */
export class WarehouseTooNewError extends Error {
  readonly isFinal = true;
  readonly migration: string;

  constructor(migration: string) {
    super(
      `the warehouse holds migration ${migration}, which this code does not know: update the code, or remove the .duckdb file and load the lake again`,
    );
    this.name = 'WarehouseTooNewError';
    this.migration = migration;
  }
}

/** A lake month was asked for that the lake does not hold. */
export class LakeMonthMissingError extends Error {
  readonly isFinal = true;
  readonly month: string;

  constructor(month: string) {
    super(`the lake holds no month ${month}: ingest it first`);
    this.name = 'LakeMonthMissingError';
    this.month = month;
  }
}

/** A version of a month was asked for that is not kept. */
export class NoSuchVersionError extends Error {
  readonly isFinal = true;
  override readonly name = 'NoSuchVersionError';

  constructor(month: string, version: string) {
    super(`no version ${version} of ${month} is kept: make status MONTH=${month} lists them`);
  }
}

/** Another process has the DuckDB file open; one at a time can. */
export class WarehouseBusyError extends Error {
  readonly isFinal = false;
  readonly file: string;
  /** The process that has it, `python3.11 (process 4711)`, where that can be told. */
  readonly holder: string;

  constructor(file: string, options?: ErrorOptions) {
    const holder = holderOf(options?.cause);
    super(
      `${file} is open in ${holder}: tools that stay on it are to read warehouse-read.duckdb beside it`,
      options,
    );
    this.name = 'WarehouseBusyError';
    this.file = file;
    this.holder = holder;
  }
}

/** Who has the file by what DuckDB says: `Conflicting lock is held in /usr/bin/python3.11 (PID 4711)`. */
function holderOf(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : '';
  const [, program, pid] = /held in (?:\S*\/)?([^\s/]+) \(PID (\d+)\)/.exec(said) ?? [];
  return program === undefined ? 'another process' : `${program} (process ${pid})`;
}

/** A query of a person that is not answered; not for mistakes in its SQL. */
export class QueryRefusedError extends Error {
  readonly isFinal = true;
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'QueryRefusedError';
  }
}

/** A forecast was asked for a day before which there are no flights to learn from. */
export class HistoryMissingError extends Error {
  readonly isFinal = true;
  override readonly name = 'HistoryMissingError';

  constructor(day: string, options?: ErrorOptions) {
    super(`there are no flights before ${day} to learn from`, options);
  }
}

/** The file is not what its manifest says: damaged, half written, or from another version. */
export class CorruptFileError extends Error {
  readonly isFinal = true;
  readonly file: string;

  constructor(file: string, detail: string, options?: ErrorOptions) {
    super(`${file}: ${detail}`, options);
    this.name = 'CorruptFileError';
    this.file = file;
  }
}

/** Redis did not answer in time, or not at all; says nothing about whether the command ran. */
export class RedisAwayError extends Error {
  readonly isFinal = false;
  override readonly name = 'RedisAwayError';
}
