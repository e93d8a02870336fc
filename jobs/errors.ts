/** An error that the person at the terminal can act on. It is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions & { exitCode?: number }) {
    super(message, options);
    this.exitCode = options?.exitCode ?? 1;
  }
}

/** The process received Ctrl-C or another signal to end. Queued jobs stay queued. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** A job ended without a result: its last attempt failed, or a retry cannot help. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
  readonly jobId: string;

  constructor(jobId: string, reason: string) {
    super(reason);
    this.jobId = jobId;
  }
}
