import type { ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { RequestError } from '../errors.ts';
import { toRefusal } from './refusal.ts';

/** Answers a refusal with a page when a browser requests a page; returns whether a page was sent. */
export type DrawRefusal = (
  ctx: ParameterizedContext<ApiState>,
  refusal: RequestError,
) => Promise<boolean>;

/** Turns any thrown error into a JSON body `{ error, message }`, or into a page when a browser requests a page. */
export function errorShape(log: Pick<Logger, 'error'>, draw?: DrawRefusal): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { error, headers, body } = toRefusal(thrown, ctx.state, log);
      ctx.status = error.status;
      ctx.set(headers);
      ctx.body = body;
      await draw?.(ctx, error);
    }
  };
}
