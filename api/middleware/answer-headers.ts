import { quotaMonth } from '../../warehouse/keyring/month.ts';
import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Sets the headers of the monthly quota: `X-RateLimit-*`, and `RateLimit` with `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-10. `X-RateLimit-Reset` is in Unix seconds; `t` and `w` are durations.
 */
export function setRateHeaders(
  { res }: Pick<Call, 'res'>,
  quota: { monthlyLimit: number; monthCount: number },
  at: Date,
): void {
  const { startsAt, endsAt } = quotaMonth(at);
  const remaining = Math.max(0, quota.monthlyLimit - quota.monthCount);
  const windowS = (endsAt.getTime() - startsAt.getTime()) / 1000;
  res.setHeader('X-RateLimit-Limit', String(quota.monthlyLimit));
  res.setHeader('X-RateLimit-Remaining', String(remaining));
  res.setHeader('X-RateLimit-Reset', String(endsAt.getTime() / 1000));
  res.setHeader('RateLimit-Policy', `"monthly";q=${quota.monthlyLimit};w=${windowS}`);
  res.setHeader('RateLimit', `"monthly";r=${remaining};t=${secondsUntilReset(at)}`);
}

/** Returns the seconds until the quota month ends, rounded up so that waiting this long is enough. */
export function secondsUntilReset(at: Date): number {
  return Math.ceil((quotaMonth(at).endsAt.getTime() - at.getTime()) / 1000);
}

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
