import { sum } from '../../warehouse/ground/numbers.ts';
import type {
  Comparison,
  Losses,
  StagedMonth,
  TableConflict,
} from '../../warehouse/extract/staged-month.ts';

/** Largest accepted share of rejected rows. A source with a larger share was probably misread. */
const MAX_REJECT_SHARE = 0.01;

/**
 * A source must have at least this share of the lake's flights. Its days, airports and airlines must also cover this
 * share of the lake's flights. A smaller source is probably truncated, because BTS's corrections hardly ever change the
 * number of flights. The limit also refuses a source that lacks one large airline: without Southwest, each month of
 * 2018 in docs/data-sources.md has 78 or 79 % of its flights.
 */
const MIN_FLIGHT_SHARE = 0.9;

/** A source is refused if it lacks an airline with at least this many flights in the month. */
const MIN_AIRLINE_FLIGHTS = 1_000;

/**
 * Largest accepted share of flights that groups lose. BTS's corrections lose far fewer flights: copies of its tables
 * from different times have equal counts.
 */
const MAX_LOSS_SHARE = 0.01;

/** A loss of at most this many flights is accepted in a small month: if it is at most a tenth of the flights. */
const MAX_LOST_FLIGHTS = 10;

/**
 * Largest accepted share of flights that are missing in BTS's delay-cause table. Among the real files in
 * docs/data-sources.md the largest share is 0.2 %, in a file with estimated months. In files with days, it is 0.02 %.
 */
const MAX_CONFLICT_SHARE = 0.01;

/** Fewer flights beyond the delay-cause table are accepted, because in a small file one flight is a large share. */
const MIN_CONFLICT_FLIGHTS = 10;

/** Number of groups that a refusal names. */
const NAMED_GROUPS = 3;

/**
 * Reasons for rows that a rule leaves out, with the largest accepted share of such rows. These rows do not make the
 * other rows doubtful. Some names without a code are usual, for example military airports.
 */
const EXPECTED_REASONS: Readonly<Record<string, number>> = {
  charter_airline: 1,
  duplicate_flight: 1,
  counted_at_destination: 1,
  no_flights: 1,
  not_passenger: 1,
  not_scheduled: 0.1,
  other_month: 0.01,
  round_trip: 1,
  total: 1,
  unknown_airline: 0.2,
  unknown_airport: 0.2,
};

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
  { month, rowsRead, rejects, conflict }: StagedMonth,
  { comparison, force, isProtected = false, requestedYear, sha256 }: Replacement,
): { why: string; hasBadRows: boolean } | undefined {
  const expected = Object.entries(rejects).filter(([reason]) => reason in EXPECTED_REASONS);
  const usual = expected.filter(
    ([reason, rows]) => rows <= (EXPECTED_REASONS[reason] ?? 0) * rowsRead,
  );
  const leftOut = new Set(usual.map(([reason]) => reason));
  const badRows = Object.fromEntries(
    Object.entries(rejects).filter(([reason]) => !leftOut.has(reason)),
  );
  const bad = sumCounts(badRows);
  const leftOutRows = sumCounts(Object.fromEntries(usual));
  if (hasTooManyRejects(bad, rowsRead - leftOutRows)) {
    return {
      why: `${bad} of ${rowsRead} rows are rejected (${formatRejects(badRows)})`,
      hasBadRows: true,
    };
  }
  if (isProtected) {
    const why = 'the lake has the month from another source, which this load must not replace';
    return { why, hasBadRows: false };
  }
  if (force) return undefined;
  const replacementDoubts = comparison
    ? describeReplacementDoubts(month, comparison, { requestedYear, sha256 })
    : [];
  const doubts = [...describeConflict(conflict, requestedYear), ...replacementDoubts];
  if (doubts.length === 0) return undefined;
  const anyway = comparison ? 'FORCE=1 replaces the month anyway' : 'FORCE=1 loads it anyway';
  const solutions = [...describeMerge(comparison), anyway];
  return { why: [...doubts, ...solutions].join('; '), hasBadRows: false };
}

function describeReplacementDoubts(
  month: string,
  comparison: Comparison,
  { requestedYear, sha256 }: { requestedYear: number | undefined; sha256: string | undefined },
): string[] {
  const isYearDoubtful = requestedYear !== undefined && comparison.current.sha256 !== sha256;
  const { source } = comparison.current;
  return [
    ...(isYearDoubtful
      ? [`the lake has ${month} from ${source}: is YEAR=${requestedYear} right?`]
      : []),
    ...describeLosses(comparison),
  ];
}

/**
 * Describes the flights that are missing in the delay-cause table of the month, if they are too many for differences in
 * counting.
 */
function describeConflict(
  conflict: TableConflict | undefined,
  requestedYear: number | undefined,
): string[] {
  if (conflict === undefined) return [];
  const { compared, beyond, unknown, pairs } = conflict;
  if (beyond < MIN_CONFLICT_FLIGHTS || beyond <= compared * MAX_CONFLICT_SHARE) return [];
  const examples = pairs
    .slice(0, NAMED_GROUPS)
    .map((one) => `${one.airline} to ${one.airport} ${one.flights}, table ${one.table}`);
  const elsewhere = unknown > 0 ? `, ${unknown} of them where the airline did not fly` : '';
  const question =
    requestedYear === undefined
      ? 'its dates are wrong, or flights are repeated or invented'
      : `is YEAR=${requestedYear} right?`;
  return [
    `${beyond} of its ${compared} flights (${formatPercent(beyond, compared)}) are not in BTS's table of the month${elsewhere} (${examples.join('; ')}): ${question}`,
  ];
}

/**
 * Describes how to keep the flights of both versions, if each version has many flights that the other lacks. Files can
 * only be combined if their flights have a day and a time.
 */
function describeMerge(comparison: Comparison | undefined): string[] {
  if (comparison === undefined) return [];
  const { losses, current, departureHours } = comparison;
  const isCombinable = losses.byDay && departureHours.current > 0 && departureHours.staged > 0;
  const hasMore = losses.gained > current.flights * MAX_LOSS_SHARE;
  return isCombinable && losses.flights > 0 && hasMore
    ? ['to keep the flights of both files, load them in one command with TOGETHER=1']
    : [];
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
  losses,
  departureHours,
  arrivals,
  brands,
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
    ...describeLostGroups(losses, current.flights),
    ...(isPoorer(departureHours) ? ['fewer of its flights have a departure hour'] : []),
    ...(isPoorer(arrivals) ? ['fewer of its flights have an arrival delay'] : []),
    ...(isPoorer(brands) ? ['fewer of its flights have the airline on the ticket'] : []),
    ...(current.isSingle && !staged.isSingle
      ? ['it has sums of flights, the lake single flights']
      : []),
  ];
}

/** Describes the large airlines that the new month lacks, even if they have a small share of all flights. */
function describeLostAirlines(lostAirlines: Comparison['lostAirlines']): string[] {
  const largeAirlines = lostAirlines.filter(({ flights }) => flights >= MIN_AIRLINE_FLIGHTS);
  const names = largeAirlines.map(({ airline, flights }) => `${airline} (${flights} in the lake)`);
  return largeAirlines.length === 0 ? [] : [`it has no flights of ${names.join(', ')}`];
}

/** Describes the flights that groups lose, if they are too many for a correction. */
function describeLostGroups(losses: Losses, flights: number): string[] {
  const isSmall = losses.flights <= MAX_LOST_FLIGHTS && losses.flights <= flights * 0.1;
  const isLarge = losses.flights > flights * MAX_LOSS_SHARE && !isSmall;
  if (!isLarge && losses.halved === 0) return [];
  const unit = losses.byDay ? 'airline, airport and day' : 'airline and airport';
  const share = formatPercent(losses.flights, flights);
  const groups = losses.groups
    .slice(0, NAMED_GROUPS)
    .map(({ airline, airport, before, after }) => `${airline} at ${airport} ${before} → ${after}`);
  return [
    `by ${unit}, ${losses.flights} of the lake's ${flights} flights (${share}) are missing, most of ${groups.join(', ')}`,
  ];
}

/** Formats the share of a count as a percentage, with a decimal below 10 %. */
function formatPercent(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
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
