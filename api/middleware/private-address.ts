import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Keeps answers out of caches and their addresses out of `Referer`: the address may hold a key, also when it is
 * refused or its path is mistyped. What is public says so itself.
 */
export function privateAddress(): ApiMiddleware {
  return (ctx, next) => {
    keepPrivate(ctx.res);
    return next();
  };
}

/** Has no cache keep the answer, and no browser tell its address. */
export function keepPrivate(res: Call['res']): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
}
