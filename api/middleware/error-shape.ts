import type { ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import { toRefusal } from './refusal.ts';
import type { Layer } from '@koa/router';

/** Answers a refused request with an HTML page if a browser requested a page. Returns whether a page was sent. */
export type DrawRefusal = (
  ctx: ParameterizedContext<ApiState>,
  refusal: RequestError,
) => Promise<boolean>;

/**
 * Converts a thrown error into a JSON body `{ error, message }`, or into an HTML page if a browser requested a page.
 */
export function errorShape(log: Pick<Logger, 'error'>, draw?: DrawRefusal): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { error, headers, body } = toRefusal(thrown, ctx.state, log);
      ctx.status = error.status;
      // Remove headers that the route may have set before it failed.
      ctx.remove('ETag');
      ctx.remove('Content-Encoding');
      ctx.set(headers);
      ctx.body = body;
      await draw?.(ctx, error);
    }
  };
}

/** Refuses a request that matches no route: 405 if the path exists with other methods, otherwise 404. */
export function refuseUnmatched(): ApiMiddleware {
  return (ctx) => {
    // Koa's router lists all routes with a matching path, whatever their method.
    const layers = (ctx as { matched?: Layer[] }).matched ?? [];
    const allowed = [...new Set(layers.flatMap((layer) => layer.methods))].toSorted();
    if (allowed.length === 0) {
      throw new RequestError(404, 'not_found', 'There is nothing at this path.');
    }
    throw new RequestError(405, 'method_not_allowed', `Use ${allowed.join(' or ')} here.`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}
