/** What a person at the terminal must read and can act on; printed without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions & { exitCode?: number }) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = options?.exitCode ?? 1;
  }
}

/** The person pressed Ctrl-C, or the process was asked to end; what is queued stays queued. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.name = 'InterruptedError';
    this.signal = signal;
  }
}

/** A job came to its end without a result: every attempt failed, or it cannot be retried. */
export class JobFailedError extends Error {
  readonly jobId: string;

  constructor(jobId: string, reason: string) {
    super(reason);
    this.name = 'JobFailedError';
    this.jobId = jobId;
  }
}
