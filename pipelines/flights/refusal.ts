import { sum } from '../../warehouse/ground/sum.ts';
import type { Comparison, StagedMonth } from './types.ts';

/** Above this share of rejected rows a source is more likely misread than dirty. */
const MAX_REJECT_SHARE = 0.01;

/**
 * Below this share of the flights held, a source is more likely cut short, or a poorer extract, than a correction: BTS
 * corrects flights, hardly ever their number. An extract that leaves out one large airline must not pass for one
 * either: without Southwest, each month of 2018 in docs/data-sources.md keeps 78 or 79 % of its flights. The same share
 * of the flights held must be on days, from airports and of airlines that the source has.
 */
const MIN_FLIGHT_SHARE = 0.9;

/** An airline with so many flights in a month is a part of the history that nobody would miss in a share of all flights. */
const MIN_AIRLINE_FLIGHTS = 1_000;

/** What a month is held against before it takes the place of what the lake holds of it. */
export type Replacement = {
  /** Undefined when the lake holds none of the month it can vouch for. */
  comparison: Comparison | undefined;
  /** The person asking knows what it loses. */
  force: boolean;
  /** What the lake holds is to stay, whatever comes. */
  isSpared?: boolean;
  /** The year asked for with YEAR=, where the rows tell none. */
  yearAsked?: number | undefined;
  /** SHA-256 of the source. */
  sha256?: string;
};

/** Why a month must not be written, in words; undefined when it may be. */
export function monthRefusal(
  { month, rowsRead, rejects }: StagedMonth,
  { comparison, force, isSpared = false, yearAsked, sha256 }: Replacement,
): { why: string; isDirty: boolean } | undefined {
  const rejected = total(rejects);
  if (isTooMany(rejected, rowsRead)) {
    return { why: `${rejected} of ${rowsRead} rows are bad (${reasons(rejects)})`, isDirty: true };
  }
  if (isSpared) return { why: 'the lake holds another source of it, which stays', isDirty: false };
  if (force || comparison === undefined) return undefined;
  const isYearDoubtful = yearAsked !== undefined && comparison.held.sha256 !== sha256;
  const doubts = [
    ...(isYearDoubtful
      ? [`the lake holds ${month} of ${comparison.held.source}: is YEAR=${yearAsked} right?`]
      : []),
    ...lossesOf(comparison),
  ];
  if (doubts.length === 0) return undefined;
  // None of the airports held is in it: one region beside another.
  const together =
    comparison.uncovered.airports === comparison.held.flights && comparison.held.flights > 0
      ? ['files of regions make a month TOGETHER=1']
      : [];
  const ways = [...together, 'FORCE=1 replaces it anyway'];
  return { why: [...doubts, ...ways].join('; '), isDirty: false };
}

/** What the lake would lose if one took the place of the other, in words; none when it is at least as good. */
export function lossesOf({ held, staged, uncovered, gone, timed, arrivals }: Comparison): string[] {
  const lacks = (what: string, flights: number, has: number, holds: number) =>
    held.flights - flights >= held.flights * MIN_FLIGHT_SHARE
      ? []
      : [
          `it lacks ${what} with ${Math.round((100 * flights) / held.flights)} % of the flights held (it has ${has}, the lake ${holds})`,
        ];
  const isPoorer = (share: { held: number; staged: number }) =>
    share.staged < share.held * MIN_FLIGHT_SHARE;
  return [
    ...(staged.flights < held.flights * MIN_FLIGHT_SHARE
      ? [`it holds ${staged.flights} flights where the lake holds ${held.flights}`]
      : []),
    ...(staged.days === 0 && held.days > 0 ? ['it tells no days, the lake does'] : []),
    ...lacks('days', uncovered.days, staged.days, held.days),
    ...lacks('airports', uncovered.airports, staged.airports, held.airports),
    ...lacks('airlines', uncovered.airlines, staged.airlines, held.airlines),
    ...wholeAirlines(gone),
    ...(isPoorer(timed) ? ['fewer of its flights tell their hour'] : []),
    ...(isPoorer(arrivals) ? ['fewer of its flights tell their delay at arrival'] : []),
    ...(held.isSingle && !staged.isSingle ? ['it holds sums, the lake single flights'] : []),
  ];
}

/** Large airlines that would be in the month no more, however small their share of all flights. */
function wholeAirlines(gone: Comparison['gone']): string[] {
  const large = gone.filter(({ flights }) => flights >= MIN_AIRLINE_FLIGHTS);
  const named = large.map(({ airline, flights }) => `${airline} (${flights} flights)`);
  return large.length === 0 ? [] : [`it has no flight of ${named.join(', ')}`];
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
