import { sum } from '../../warehouse/ground/numbers.ts';
import type {
  Comparison,
  StagedMonth,
  TableConflict,
} from '../../warehouse/extract/staged-month.ts';
import { describeLosses, formatPercent, MAX_LOSS_SHARE, NAMED_GROUPS } from './losses.ts';

/** Largest accepted share of rejected rows. A source with a larger share was probably misread. */
const MAX_REJECT_SHARE = 0.01;

/**
 * Largest accepted share of flights that are missing in BTS's delay-cause table. Among the real files in
 * docs/data-sources.md, the largest share is 0.2 %, in a file with estimated months. Among the files whose flights have
 * a day, the largest share is 0.02 %.
 */
const MAX_CONFLICT_SHARE = 0.01;

/**
 * Up to this many flights may be missing in the delay-cause table, whatever their share: in a small file, one flight is
 * a large share.
 */
const MIN_CONFLICT_FLIGHTS = 10;

/**
 * Reasons for which rows are usually left out, each with the largest accepted share of rows. Rows that are left out for
 * these reasons cast no doubt on the other rows. For example, many sources contain some military airports that have no
 * code.
 */
const EXPECTED_REASONS: Readonly<Record<string, number>> = {
  charter_airline: 1,
  duplicate_flight: 1,
  counted_at_destination: 1,
  no_flights: 1,
  not_passenger: 1,
  not_published: 0.2,
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
  /** Name of the provider; absent for the American record. */
  provider?: string | undefined;
};

/** Returns why a month must not be written; undefined if it may be written. */
export function monthRefusal(
  { month, periodMonths, rowsRead, rejects, conflict }: StagedMonth,
  { comparison, force, isProtected = false, requestedYear, sha256, provider = '' }: Replacement,
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
  if (rowsRead > 0 && sumCounts(rejects) === rowsRead) {
    return {
      why: `none of its ${rowsRead} rows has a flight to load (${formatRejects(rejects)})`,
      hasBadRows: true,
    };
  }
  if (isProtected) {
    const why = 'the lake has the month from another source, which this load must not replace';
    return { why, hasBadRows: false };
  }
  if (force) return undefined;
  if (comparison?.current.periodMonths === 12 && periodMonths !== 12) {
    return { why: describeYear(month, provider), hasBadRows: false };
  }
  const replacementDoubts = comparison
    ? describeReplacementDoubts(month, comparison, { requestedYear, sha256 })
    : [];
  const doubts = [...describeConflict(conflict, requestedYear), ...replacementDoubts];
  if (doubts.length === 0) return undefined;
  const anyway = comparison ? 'FORCE=1 replaces the month anyway' : 'FORCE=1 loads it anyway';
  const solutions = [...describeMerge(comparison), anyway];
  return { why: [...doubts, ...solutions].join('; '), hasBadRows: false };
}

/** Describes the loss of the counts of a whole year. The lake stores these counts as the December of the year. */
function describeYear(month: string, provider: string): string {
  const year = month.slice(0, 4);
  return [
    `the lake has the counts of the whole year ${year} in the place of ${month}, so loading the month would remove them`,
    `after make drop PROVIDER=${provider} MONTH=${year}, the months of the year are used instead`,
    'FORCE=1 replaces the year anyway',
  ].join('; ');
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
 * Describes the flights that are missing in the month's delay-cause table. Returns an empty list if they are so few
 * that differences in counting can explain them.
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
 * Describes how to keep the flights of both versions, if each version has many flights that the other version lacks.
 * Files can only be combined if their flights have a day and a time.
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
