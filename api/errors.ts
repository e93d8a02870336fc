/** Codes of error bodies; docs/api.md explains each. */
export const ERROR_CODES = [
  'missing_api_key',
  'invalid_api_key',
  'forbidden',
  'missing_parameter',
  'invalid_parameter',
  'unknown_airport',
  'unknown_airline',
  'not_found',
  'method_not_allowed',
  'bad_request',
  'rate_limit_exceeded',
  'not_available',
  'service_unavailable',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** How long an outage of ours lasts at least, in seconds; Redis is back at hand 3 s after it is back. */
export const RETRY_AFTER_S = 3;

type Extra = {
  /** The query parameter at fault. */
  param?: string;
  /** More fields of the body, behind `error` and `message`. */
  facts?: Record<string, boolean>;
  /** Headers the answer must carry, such as `Allow`. */
  headers?: Record<string, string>;
  cause?: unknown;
};

/** A request we refuse: status, code and message go to the caller as they are, so they hold nothing secret. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly facts: Record<string, boolean>;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    this.status = status;
    this.code = code;
    this.param = extra.param;
    this.facts = extra.facts ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** The port cannot be listened on; the message is for the operator and says what to do. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

/** A process of the API ended before it listened; it has told the operator why. */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
}

/** A look at Redis was not done in time; it may still be under way, but what it finds is not taken up. */
export class LookLateError extends Error {
  override readonly name = 'LookLateError';
}
