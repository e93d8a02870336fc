import type { ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { RequestError, RETRY_AFTER_S } from '../errors.ts';
import { RedisAwayError } from '../../warehouse/errors.ts';
import { errorBodyOf } from '../presenters/error-body.ts';
import { describeError } from '../redact.ts';

const INTERNAL_MESSAGE = 'Something went wrong on our side; quote the request id if you report it.';
const AWAY_MESSAGE = 'The service cannot check keys at the moment; try again in a few seconds.';

/** Draws a refusal as a page where a browser asks for one; says whether it did. */
export type DrawRefusal = (
  ctx: ParameterizedContext<ApiState>,
  refusal: RequestError,
) => Promise<boolean>;

/**
 * Turns whatever was thrown into a JSON body `{ error, message }`, or into a page where a person asked for one; only a
 * `RequestError` is told in its own words.
 */
export function errorShape(log: Pick<Logger, 'error'>, draw?: DrawRefusal): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error);
      ctx.status = refusal.status;
      ctx.set(refusal.headers);
      if (refusal.status === 503) ctx.set('Retry-After', String(RETRY_AFTER_S));
      ctx.body = {
        ...errorBodyOf(refusal),
        ...refusal.facts,
        ...(refusal.status === 500 && { request_id: ctx.state.requestId }),
      };
      if (refusal.status === 500) {
        log.error({ id: ctx.state.requestId, error: describeError(error) }, 'request failed');
      } else if (refusal.status > 500) {
        ctx.state.reason = error instanceof Error ? error.message : refusal.message;
      }
      await draw?.(ctx, refusal);
    }
  };
}

function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) {
    return error;
  }
  if (error instanceof RedisAwayError) {
    return new RequestError(503, 'service_unavailable', AWAY_MESSAGE);
  }
  return new RequestError(500, 'internal_error', INTERNAL_MESSAGE);
}
