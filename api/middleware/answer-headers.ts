import { quotaMonth } from '../../warehouse/keyring/month.ts';
import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Sets the headers of the monthly quota: `X-RateLimit-*`, and `RateLimit` with `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10). `X-RateLimit-Reset` is in Unix seconds. `t` and `w` are durations in
 * seconds.
 */
export function setRateHeaders(
  call: Pick<Call, 'set'>,
  quota: { monthlyLimit: number; monthCount: number },
  at: Date,
): void {
  const { startsAt, endsAt } = quotaMonth(at);
  const remaining = Math.max(0, quota.monthlyLimit - quota.monthCount);
  const windowS = (endsAt.getTime() - startsAt.getTime()) / 1000;
  call.set('X-RateLimit-Limit', String(quota.monthlyLimit));
  call.set('X-RateLimit-Remaining', String(remaining));
  call.set('X-RateLimit-Reset', String(endsAt.getTime() / 1000));
  call.set('RateLimit-Policy', `"monthly";q=${quota.monthlyLimit};w=${windowS}`);
  call.set('RateLimit', `"monthly";r=${remaining};t=${secondsUntilReset(at)}`);
}

/** Returns the seconds until the end of the quota month, rounded up. */
export function secondsUntilReset(at: Date): number {
  return Math.ceil((quotaMonth(at).endsAt.getTime() - at.getTime()) / 1000);
}

/**
 * Marks every answer as not cacheable, and tells browsers not to send the request address as `Referer`. The address may
 * contain a key, even when the request is refused. Public answers override these headers.
 */
export function privateHeaders(): ApiMiddleware {
  return (ctx, next) => {
    setPrivateHeaders(ctx);
    return next();
  };
}

/** Sets headers that forbid caching. They also forbid sending the request address as `Referer`. */
export function setPrivateHeaders(call: Pick<Call, 'set'>): void {
  call.set('Cache-Control', 'no-store');
  call.set('Referrer-Policy', 'no-referrer');
}
