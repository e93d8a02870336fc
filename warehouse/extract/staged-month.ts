/** The staged months of a source (read, but not yet written), and their comparison with the months of the lake. */
import type { MonthManifest } from '../lake/lake.ts';
import type { Completeness } from '../snapshot.ts';

/** Size and coverage of a month. */
export type MonthExtent = {
  /** Name of the source file. */
  source: string;
  form: string;
  rows: number;
  /** Scheduled flights. */
  flights: number;
  /** Days with flights; 0 if the rows have no dates. */
  days: number;
  /** Departure airports; for the delay-cause table, arrival airports. */
  airports: number;
  airlines: number;
  /** 12 for the counts of a whole year. */
  periodMonths?: 12;
};

/** Comparison of a month in the lake with the staged month that would replace it. */
export type Comparison = {
  current: MonthExtent & {
    sha256: string;
    /** True for single flights, false for sums of flights. */
    isSingle: boolean;
  };
  staged: MonthExtent & { isSingle: boolean };
  /**
   * Flights in the lake that the staged month does not cover. `days` counts the flights on days that the staged month
   * lacks. `airports` counts the flights of airports that the staged month lacks, and `airlines` the flights of missing
   * airlines. Days are compared only if both versions have dates.
   */
  uncovered: { days: number; airports: number; airlines: number };
  /**
   * Airlines that the lake has and the staged month lacks, with their number of flights in the lake; the largest first.
   */
  lostAirlines: { airline: string; flights: number }[];
  losses: Losses;
  /** Share of flights with a departure hour. */
  departureHours: { current: number; staged: number };
  /** Share of flights with an arrival delay. */
  arrivals: { current: number; staged: number };
  /** Share of flights for which the airline on the ticket is known. */
  brands: { current: number; staged: number };
};

/**
 * Flights that a replacement would remove, summed over groups. A group is an airline at an airport of departure on a
 * day. If a version has no days, a group is an airline at an airport in the month. Additional flights of other groups
 * are not subtracted.
 */
export type Losses = {
  /** Whether groups are counted by day. */
  byDay: boolean;
  flights: number;
  /** Additional flights of other groups. */
  gained: number;
  /** The pairs of airline and airport that lose the most flights, at most ten. */
  groups: GroupLoss[];
  /** Number of pairs of airline and airport that have at least 100 flights and lose more than half of them. */
  halved: number;
};

/**
 * Flights of an airline at an airport in the month, before and after a replacement. `lost` is the sum over the groups
 * of this airline and airport.
 */
export type GroupLoss = {
  airline: string;
  airport: string;
  before: number;
  after: number;
  lost: number;
};

/**
 * A conflict between a month and BTS's delay-cause table. The table has all flights of an airline to an airport, so a
 * correct month cannot have more flights than the table.
 */
export type TableConflict = {
  /** Flights of the month whose airline is in the table. */
  compared: number;
  /** Flights that exceed the number of flights in the table. */
  beyond: number;
  /** Part of `beyond`: flights of an airline to an airport for which the table has no flights. */
  unknown: number;
  /** The pairs of airline and airport whose flights exceed the table most. */
  pairs: { airline: string; airport: string; flights: number; table: number }[];
};

/** A month of a source that has been read, but neither written nor refused yet. */
export type StagedMonth = {
  month: string;
  /** 12 for the counts of a whole year. */
  periodMonths?: 12;
  /** Absent for the delay-cause table. */
  completeness?: Completeness;
  /** Absent if the table has all flights of the month, or if the lake does not have the table of the month. */
  conflict?: TableConflict;
  rowsRead: number;
  /** Number of good rows that report zero flights; absent if there are no such rows. */
  rowsEmpty?: number;
  /** Scheduled flights in the good rows: one per row, or the count in a row of aggregates. */
  flights: number;
  rejects: Record<string, number>;
};

/** Facts about a month in the lake, from its manifest. */
export type ExtractedMonth = Pick<MonthManifest, 'month' | 'periodMonths' | 'rejects'> & {
  rows: MonthManifest['rows'] & { empty?: number };
};
