import type { ApiMiddleware } from '../context.ts';

/**
 * Keeps answers out of caches and their addresses out of `Referer`: the address may hold a key, also when it is
 * refused or its path is mistyped. What is public says so itself.
 */
export function privateAddress(): ApiMiddleware {
  return (ctx, next) => {
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('Referrer-Policy', 'no-referrer');
    return next();
  };
}
