import type { Router } from '@koa/router';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { RecordAnswer } from '../metrics/api-metrics.ts';

/** Label of requests that match no route. */
const NO_ENDPOINT = 'none';

/** Records the duration of each answer under its route pattern. Requests without a route share the label `none`. */
export function measureAnswers(
  { stack }: Pick<Router<ApiState>, 'stack'>,
  recordAnswer: RecordAnswer,
): ApiMiddleware {
  const paths = new Set(stack.map(({ path }) => String(path)));
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { path } = ctx;
    const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
    const endpoint = paths.has(path) ? path : typeof matched === 'string' ? matched : NO_ENDPOINT;
    recordAnswer(endpoint, ctx.status, (performance.now() - startedAt) / 1000);
  };
}
