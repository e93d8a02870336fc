import type { Logger } from 'pino';
import type { ApiState } from '../context.ts';
import { RequestError, RETRY_AFTER_S } from '../errors.ts';
import { RedisAwayError } from '../../warehouse/errors.ts';
import { errorBodyOf } from '../presenters/error-body.ts';
import { describeError } from '../redact.ts';

const INTERNAL_MESSAGE = 'Something went wrong on our side; quote the request id if you report it.';
const AWAY_MESSAGE = 'The service cannot check keys at the moment; try again in a few seconds.';

/** How something that was thrown is answered. */
export type Refusal = {
  error: RequestError;
  headers: Record<string, string>;
  /** `{ error, message }`, and what belongs to it. */
  body: object;
};

/** Makes an answer of whatever was thrown, and logs what is a fault of ours; only a `RequestError` is told in its own words. */
export function refusalOf(thrown: unknown, state: ApiState, log: Pick<Logger, 'error'>): Refusal {
  const error = requestErrorOf(thrown);
  const { requestId } = state;
  if (error.status === 500) {
    log.error({ id: requestId, error: describeError(thrown) }, 'request failed');
  } else if (error.status > 500) {
    state.reason = thrown instanceof Error ? thrown.message : error.message;
  }
  return {
    error,
    headers: {
      ...error.headers,
      ...(error.status === 503 && { 'Retry-After': String(RETRY_AFTER_S) }),
    },
    body: {
      ...errorBodyOf(error),
      ...error.facts,
      ...(error.status === 500 && { request_id: requestId }),
    },
  };
}

function requestErrorOf(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (thrown instanceof RedisAwayError) {
    return new RequestError(503, 'service_unavailable', AWAY_MESSAGE);
  }
  return new RequestError(500, 'internal_error', INTERNAL_MESSAGE);
}
