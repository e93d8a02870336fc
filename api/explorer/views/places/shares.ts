import { logit } from '../../../../warehouse/ground/log-odds.ts';
import { scorePoints } from '../../../../models/points.ts';
import type { FlightCounts } from './places-data.ts';

/**
 * Minimum number of flights in an hour or month. With fewer flights, the share of late or cancelled flights is
 * uncertain, so the mark is smaller or hollow.
 */
export const MIN_FLIGHTS = 30;

/**
 * Returns the share of late or cancelled flights. Diverted flights, and flights with an unknown delay, are left out.
 */
export function disruptedShare({ flights, late, cancelled }: FlightCounts): number {
  return flights + cancelled === 0 ? 0 : (late + cancelled) / (flights + cancelled);
}

/** Converts a share to points on the scale of the score. All pictures then use the same colours. */
export function scoreOfShare(share: number): number {
  const clamped = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return Math.round(scorePoints(logit(clamped), undefined).score);
}

/**
 * Returns Wilson's 90% interval of a share of `n` flights. The interval also works for few flights and for shares near
 * 0.
 */
export function wilsonInterval(share: number, n: number): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const z = 1.645;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half =
    (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Formats `about 16 in 100` or `fewer than 1 in 100`. */
export function outOfHundred(share: number): string {
  const count = Math.round(100 * share);
  return count === 0 ? 'fewer than 1 in 100' : `about ${count} in 100`;
}

/** Returns whether the 90% interval excludes 1. If so, the difference is probably not chance. */
export function isClearlyDifferent({ low, high }: { low: number; high: number }): boolean {
  return low > 1 || high < 1;
}

/** Formats `17% more often than`, or `about as often as` if the difference may be chance. */
export function howOften(compared: { ratio: number; low: number; high: number }): string {
  const percentage = Math.round(100 * Math.abs(compared.ratio - 1));
  if (!isClearlyDifferent(compared) || percentage === 0) return 'about as often as';
  return `${percentage}% ${compared.ratio > 1 ? 'more' : 'less'} often than`;
}
