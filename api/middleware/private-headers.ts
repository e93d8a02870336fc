import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Sets headers on every answer that forbid caching the answer and sending the request address as `Referer`. The address
 * may contain a key, even if the request is refused or the path is mistyped. Public answers override these headers.
 */
export function privateHeaders(): ApiMiddleware {
  return (ctx, next) => {
    setPrivateHeaders(ctx.res);
    return next();
  };
}

/** Sets headers that forbid caching the answer and sending the request address as `Referer`. */
export function setPrivateHeaders(res: Call['res']): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
}
