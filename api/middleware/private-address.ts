import type { ApiMiddleware } from '../context.ts';

/**
 * Keeps answers under `/api/` out of caches and their addresses out of `Referer`: the address may hold a key,
 * also when it is refused or its path is mistyped.
 */
export function privateAddress(): ApiMiddleware {
  return (ctx, next) => {
    if (ctx.path.startsWith('/api/')) {
      ctx.res.setHeader('Cache-Control', 'no-store');
      ctx.res.setHeader('Referrer-Policy', 'no-referrer');
    }
    return next();
  };
}
