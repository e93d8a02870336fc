/** The disk has too little free space, so the work ended. `make free-space` helps. */
export class DiskFullError extends Error {
  readonly isFinal = true;
  override readonly name = 'DiskFullError';

  constructor(detail: string, options?: ErrorOptions) {
    super(
      `the disk is full: ${detail}. make free-space deletes what can be fetched again`,
      options,
    );
  }
}

/** Whether the error, or an error that caused it, means that a disk is full. DuckDB has no error codes. */
export function isDiskFull(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DiskFullError || ('code' in error && error.code === 'ENOSPC')) return true;
  return /no space left on device|disk is full/i.test(error.message) || isDiskFull(error.cause);
}
