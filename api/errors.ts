/** Codes in error bodies. docs/api.md explains the codes. */
export const ERROR_CODES = [
  'missing_api_key',
  'invalid_api_key',
  'forbidden',
  'missing_parameter',
  'invalid_parameter',
  'unknown_airport',
  'unknown_airline',
  'unknown_flight',
  'ambiguous_flight',
  'not_found',
  'method_not_allowed',
  'bad_request',
  'challenge_failed',
  'too_many_watches',
  'rate_limit_exceeded',
  'not_available',
  'service_unavailable',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Value of `Retry-After` for a 503, in seconds. The API reconnects within 3 s after Redis is available again. */
export const RETRY_AFTER_S = 3;

/** A leg of an ambiguous flight number. */
export type ErrorLeg = {
  origin: string;
  destination: string;
  airline: string;
  dep_time: string | null;
};

/** Further fields that an error body may have. */
export type ErrorFacts = { valid?: false; legs?: ErrorLeg[]; schedule_month?: string };

type ErrorDetails = {
  /** The query parameter that caused the error. */
  param?: string;
  /** Further fields of the body, after `error` and `message`. */
  facts?: ErrorFacts;
  /** Headers that the answer must have, such as `Allow`. */
  headers?: Record<string, string>;
  cause?: unknown;
};

/** An error that refuses a request. Status, code and message are sent to the caller, so they must contain no secret. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly facts: ErrorFacts;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, extra: ErrorDetails = {}) {
    super(message, { cause: extra.cause });
    this.status = status;
    this.code = code;
    this.param = extra.param;
    this.facts = extra.facts ?? {};
    this.headers = extra.headers ?? {};
  }
}

/**
 * Returns the refusal with a new message that starts with `prefix`, such as `Leg 2`. `paramOf` converts the name of the
 * wrong parameter. Errors that are not a `RequestError` are returned unchanged.
 */
export function prefixRefusal(
  error: unknown,
  prefix: string,
  paramOf: (former: string) => string,
): unknown {
  if (!(error instanceof RequestError)) return error;
  const { status, code, message, param = '', facts } = error;
  return new RequestError(status, code, `${prefix}: ${message}`, { param: paramOf(param), facts });
}

/** The API cannot listen on its port. The message tells the operator how to fix this. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

/** A process of the API ended before it listened on the port. That process has printed the reason. */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
}

/** A refresh from Redis exceeded its deadline. If the result arrives later, it is ignored. */
export class RefreshTimeoutError extends Error {
  override readonly name = 'RefreshTimeoutError';
}

/** Result of a function call: the returned value or the thrown error. */
export type Outcome<T> = { isGood: true; value: T } | { isGood: false; error: unknown };

/** Calls `work` and returns its value or error. The caller can handle the error later. */
export function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { isGood: true, value: work() };
  } catch (error) {
    return { isGood: false, error };
  }
}

/** Returns the value of an outcome, or throws its error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.isGood) throw outcome.error;
  return outcome.value;
}
