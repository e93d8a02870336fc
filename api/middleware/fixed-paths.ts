import type { Router } from '@koa/router';
import type { ApiMiddleware, ApiState } from '../context.ts';

type Endpoint = { methods: string[]; answer: ApiMiddleware };

/**
 * Calls the endpoint directly when the request path equals the path of a route exactly. The router would try every route
 * for every request. Paths with parameters or in other spellings, and unknown methods, are left to the router.
 */
export function fixedPaths({ stack: routes }: Pick<Router<ApiState>, 'stack'>): ApiMiddleware {
  const endpoints = new Map<string, Endpoint>();
  for (const { path, paramNames, methods, stack } of routes) {
    const [answer, ...others] = stack;
    if (typeof path === 'string' && paramNames.length === 0 && answer && others.length === 0) {
      endpoints.set(path, { methods, answer: answer as ApiMiddleware });
    }
  }
  return (ctx, next) => {
    const endpoint = endpoints.get(ctx.path);
    return endpoint?.methods.includes(ctx.method) ? endpoint.answer(ctx, next) : next();
  };
}
