import { sum } from '../../warehouse/ground/sum.ts';
import type { Comparison, StagedMonth } from './types.ts';

/**
 * Largest accepted share of rejected rows. A source with a larger share was more likely misread than full of errors.
 */
const MAX_REJECT_SHARE = 0.01;

/**
 * A source must have at least this share of the lake's flights, and its days, airports and airlines must cover this
 * share of the lake's flights. A smaller source is probably truncated or incomplete, not a correction, because BTS
 * corrects flights, but hardly ever their number. The limit also refuses an extract that lacks one large airline. For
 * example, without Southwest, each month of 2018 in docs/data-sources.md has 78 or 79 % of its flights.
 */
const MIN_FLIGHT_SHARE = 0.9;

/** A missing airline with this many flights in a month is refused, even if its share of all flights is small. */
const MIN_AIRLINE_FLIGHTS = 1_000;

/** The conditions under which a staged month may replace the month in the lake. */
export type Replacement = {
  /** Undefined if the lake has no intact version of the month. */
  comparison: Comparison | undefined;
  /** Accept every loss. */
  force: boolean;
  /** The month in the lake must not be replaced. */
  isProtected?: boolean;
  /** The year from YEAR=, if the rows have no year. */
  requestedYear?: number | undefined;
  /** SHA-256 of the source. */
  sha256?: string;
};

/** Returns why a month must not be written; undefined if it may be written. */
export function monthRefusal(
  { month, rowsRead, rejects }: StagedMonth,
  { comparison, force, isProtected = false, requestedYear, sha256 }: Replacement,
): { why: string; hasBadRows: boolean } | undefined {
  const rejected = sumCounts(rejects);
  if (hasTooManyRejects(rejected, rowsRead)) {
    return {
      why: `${rejected} of ${rowsRead} rows are rejected (${formatRejects(rejects)})`,
      hasBadRows: true,
    };
  }
  if (isProtected) {
    const why = 'the lake has the month from another source, which this load must not replace';
    return { why, hasBadRows: false };
  }
  if (force || comparison === undefined) return undefined;
  const isYearDoubtful = requestedYear !== undefined && comparison.current.sha256 !== sha256;
  const doubts = [
    ...(isYearDoubtful
      ? [`the lake has ${month} from ${comparison.current.source}: is YEAR=${requestedYear} right?`]
      : []),
    ...describeLosses(comparison),
  ];
  if (doubts.length === 0) return undefined;
  // The file and the lake's month have no airport in common, so each is probably a different region of the same month.
  const mergeHint =
    comparison.uncovered.airports === comparison.current.flights && comparison.current.flights > 0
      ? ['to combine files of several regions, pass all of them with TOGETHER=1']
      : [];
  const solutions = [...mergeHint, 'FORCE=1 replaces the month anyway'];
  return { why: [...doubts, ...solutions].join('; '), hasBadRows: false };
}

/**
 * Describes the flights and values that the lake would lose by the replacement; empty if the staged month is at least
 * as good.
 */
export function describeLosses({
  current,
  staged,
  uncovered,
  lostAirlines,
  departureHours,
  arrivals,
}: Comparison): string[] {
  const describeGap = (what: string, flights: number, inFile: number, inLake: number) =>
    current.flights - flights >= current.flights * MIN_FLIGHT_SHARE
      ? []
      : [
          `it lacks ${what} with ${Math.round((100 * flights) / current.flights)} % of the lake's flights (it has ${inFile}, the lake ${inLake})`,
        ];
  const isPoorer = (share: { current: number; staged: number }) =>
    share.staged < share.current * MIN_FLIGHT_SHARE;
  return [
    ...(staged.flights < current.flights * MIN_FLIGHT_SHARE
      ? [`it has ${staged.flights} flights, the lake ${current.flights}`]
      : []),
    ...(staged.days === 0 && current.days > 0 ? ['it has no dates, but the lake does'] : []),
    ...describeGap('days', uncovered.days, staged.days, current.days),
    ...describeGap('airports', uncovered.airports, staged.airports, current.airports),
    ...describeGap('airlines', uncovered.airlines, staged.airlines, current.airlines),
    ...describeLostAirlines(lostAirlines),
    ...(isPoorer(departureHours) ? ['fewer of its flights have a departure hour'] : []),
    ...(isPoorer(arrivals) ? ['fewer of its flights have an arrival delay'] : []),
    ...(current.isSingle && !staged.isSingle
      ? ['it has sums of flights, the lake single flights']
      : []),
  ];
}

/** Describes the large airlines that the month would lose, however small their share of all flights. */
function describeLostAirlines(lostAirlines: Comparison['lostAirlines']): string[] {
  const largeAirlines = lostAirlines.filter(({ flights }) => flights >= MIN_AIRLINE_FLIGHTS);
  const names = largeAirlines.map(({ airline, flights }) => `${airline} (${flights} in the lake)`);
  return largeAirlines.length === 0 ? [] : [`it has no flights of ${names.join(', ')}`];
}

/** Whether a file or month with this many rows has too many rejected rows. */
export function hasTooManyRejects(rejected: number, rows: number): boolean {
  return rejected > rows * MAX_REJECT_SHARE;
}

/** Formats the numbers of rejected rows by reason, for messages. */
export function formatRejects(rejects: Record<string, number>): string {
  return Object.entries(rejects)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

/** Adds up counts. */
export function sumCounts(counts: Record<string, number>): number {
  return sum(Object.values(counts));
}
