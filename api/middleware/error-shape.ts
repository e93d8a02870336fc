import type { ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { RequestError } from '../errors.ts';
import { refusalOf } from './refusal.ts';

/** Draws a refusal as a page where a browser asks for one; says whether it did. */
export type DrawRefusal = (
  ctx: ParameterizedContext<ApiState>,
  refusal: RequestError,
) => Promise<boolean>;

/** Turns whatever was thrown into a JSON body `{ error, message }`, or into a page where a person asked for one. */
export function errorShape(log: Pick<Logger, 'error'>, draw?: DrawRefusal): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { error, headers, body } = refusalOf(thrown, ctx.state, log);
      ctx.status = error.status;
      ctx.set(headers);
      ctx.body = body;
      await draw?.(ctx, error);
    }
  };
}
