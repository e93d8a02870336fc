import type { Router } from '@koa/router';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { Answered } from '../metrics/api-metrics.ts';

/** What no route matches. */
const NO_ENDPOINT = 'none';

/** Tells how long each answer took, under the pattern of its route: addresses that callers make up are one. */
export function measured(
  { stack }: Pick<Router<ApiState>, 'stack'>,
  answered: Answered,
): ApiMiddleware {
  const paths = new Set(stack.map(({ path }) => String(path)));
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { path } = ctx;
    const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
    const endpoint = paths.has(path) ? path : typeof matched === 'string' ? matched : NO_ENDPOINT;
    answered(endpoint, ctx.status, (performance.now() - startedAt) / 1000);
  };
}
