import { sum } from '../../warehouse/ground/sum.ts';
import type { StagedMonth } from './types.ts';

/** Above this share of rejected rows a source is more likely misread than dirty. */
const MAX_REJECT_SHARE = 0.01;

/**
 * Below this share of the flights held, a source is more likely cut short, or a poorer extract, than a correction: BTS
 * corrects flights, hardly ever their number. An extract that leaves out one large airline must not pass for one
 * either: without Southwest, each month of 2018 in docs/data-sources.md keeps 78 or 79 % of its flights.
 */
const MIN_FLIGHT_SHARE = 0.9;

/** What a month is held against before it takes the place of what the lake holds of it. */
export type Replacement = {
  /** Scheduled flights the lake holds of the month; undefined when it holds none it can vouch for. */
  flightsHeld: number | undefined;
  /** The person asking knows that it holds fewer flights. */
  force: boolean;
  /** What the lake holds is to stay, whatever comes. */
  isSpared?: boolean;
};

/** Why a month must not be written, in words; undefined when it may be. */
export function refusalOf(
  { rowsRead, flights, rejects }: StagedMonth,
  { flightsHeld, force, isSpared = false }: Replacement,
): { why: string; isDirty: boolean } | undefined {
  const rejected = total(rejects);
  if (isTooMany(rejected, rowsRead)) {
    return { why: `${rejected} of ${rowsRead} rows are bad (${reasons(rejects)})`, isDirty: true };
  }
  if (isSpared) return { why: 'the lake holds another source of it, which stays', isDirty: false };
  if (force || flightsHeld === undefined || flights >= flightsHeld * MIN_FLIGHT_SHARE) {
    return undefined;
  }
  const counts = `it holds ${flights} flights where the lake holds ${flightsHeld}`;
  return { why: `${counts}; FORCE=1 replaces them anyway`, isDirty: false };
}

/** Whether so many rejected rows are too many for a file or month of that many rows. */
export function isTooMany(rejected: number, rows: number): boolean {
  return rejected > rows * MAX_REJECT_SHARE;
}

/** Rejected rows by reason, for people. */
export function reasons(rejects: Record<string, number>): string {
  return Object.entries(rejects)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

/** The sum of counts by name. */
export function total(counts: Record<string, number>): number {
  return sum(Object.values(counts));
}
