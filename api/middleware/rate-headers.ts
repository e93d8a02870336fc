import type { Context } from 'koa';
import { quotaMonth } from '../../warehouse/keyring/month.ts';

/**
 * Tells the caller where the month's quota stands: `X-RateLimit-*`, and `RateLimit` with `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-10. `X-RateLimit-Reset` is in Unix seconds; `t` and `w` are durations.
 */
export function setRateHeaders(
  ctx: Pick<Context, 'set'>,
  quota: { monthlyLimit: number; monthCount: number },
  at: Date,
): void {
  const { startsAt, endsAt } = quotaMonth(at);
  const remaining = Math.max(0, quota.monthlyLimit - quota.monthCount);
  const windowS = (endsAt.getTime() - startsAt.getTime()) / 1000;
  ctx.set({
    'X-RateLimit-Limit': String(quota.monthlyLimit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(endsAt.getTime() / 1000),
    'RateLimit-Policy': `"monthly";q=${quota.monthlyLimit};w=${windowS}`,
    RateLimit: `"monthly";r=${remaining};t=${secondsLeft(at)}`,
  });
}

/** Whole seconds to the end of the quota month, rounded up so that waiting them is enough. */
export function secondsLeft(at: Date): number {
  return Math.ceil((quotaMonth(at).endsAt.getTime() - at.getTime()) / 1000);
}
