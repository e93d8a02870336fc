import type { Logger } from 'pino';
import type { ApiState } from '../context.ts';
import { RequestError, RETRY_AFTER_S } from '../errors.ts';
import { RedisUnavailableError } from '../../warehouse/errors.ts';
import { describeError } from '../redact.ts';
import { errorBodyOf } from '../schemas/error.ts';

const INTERNAL_MESSAGE =
  'The service failed to answer this request. Quote the request id if you report the error.';
const UNAVAILABLE_MESSAGE =
  'The service cannot check API keys at the moment. Try again in a few seconds.';

/** The answer to a thrown error. */
export type Refusal = {
  error: RequestError;
  headers: Record<string, string>;
  /** `{ error, message }` and any further fields of the error. */
  body: object;
};

/**
 * Converts a thrown error into an answer. Only messages of a `RequestError` are sent to callers. Errors with status 500
 * are logged.
 */
export function toRefusal(thrown: unknown, state: ApiState, log: Pick<Logger, 'error'>): Refusal {
  const error = toRequestError(thrown);
  const { requestId } = state;
  if (error.status === 500) {
    log.error({ id: requestId, error: describeError(thrown) }, 'request failed');
  } else if (error.status > 500) {
    state.reason = thrown instanceof Error ? thrown.message : error.message;
  }
  return {
    error,
    headers: {
      // The route may have allowed caching before it failed.
      'Cache-Control': 'no-store',
      ...error.headers,
      ...(error.status === 503 && { 'Retry-After': String(RETRY_AFTER_S) }),
    },
    body: {
      ...errorBodyOf(error),
      ...(error.status === 500 && { request_id: requestId }),
    },
  };
}

function toRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (thrown instanceof RedisUnavailableError) {
    return new RequestError(503, 'service_unavailable', UNAVAILABLE_MESSAGE);
  }
  return new RequestError(500, 'internal_error', INTERNAL_MESSAGE);
}
