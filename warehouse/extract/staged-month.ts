/** Months of a source that were read, and how they compare with the months of the lake. */
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
   * Numbers of the lake's flights that are on a day, at an airport or of an airline that the staged month lacks. Days
   * are compared only if both versions have dates.
   */
  uncovered: { days: number; airports: number; airlines: number };
  /**
   * Airlines that the lake has and the staged month lacks, each with its number of flights in the lake; the largest
   * first.
   */
  lostAirlines: { airline: string; flights: number }[];
  losses: Losses;
  /** Share of flights with a departure hour. */
  departureHours: { current: number; staged: number };
  /** Share of flights with an arrival delay. */
  arrivals: { current: number; staged: number };
  /** Share of flights with the airline on the ticket. */
  brands: { current: number; staged: number };
};

/**
 * Flights that groups lose by a replacement. A group is an airline at an airport of departure on a day, or in the whole
 * month if a version has no days. Flights that other groups gain do not make up for them.
 */
export type Losses = {
  /** Whether the groups are days. */
  byDay: boolean;
  flights: number;
  /** Flights that other groups gain. */
  gained: number;
  /** The airlines at airports that lose most flights, at most ten. */
  groups: GroupLoss[];
  /** Number of airlines at airports with at least 100 flights that lose more than half of them. */
  halved: number;
};

/** Flights of an airline at an airport in the month before and after a replacement, and the flights lost by group. */
export type GroupLoss = {
  airline: string;
  airport: string;
  before: number;
  after: number;
  lost: number;
};

/**
 * Flights of a month that BTS's delay-cause table does not have. A part of a month cannot have more flights of an
 * airline to an airport than the table.
 */
export type TableConflict = {
  /** Flights of the airlines that the table has. */
  compared: number;
  /** Flights beyond those of the table. */
  beyond: number;
  /** Flights of airlines to airports for which the table has none; they are part of `beyond`. */
  unknown: number;
  /** The airlines at airports with most flights beyond the table. */
  pairs: { airline: string; airport: string; flights: number; table: number }[];
};

/** A month of a source that has been read, but not yet written or refused. */
export type StagedMonth = {
  month: string;
  /** Absent for the delay-cause table. */
  completeness?: Completeness;
  /** Absent if the table has all flights of the month, or the lake lacks the table of the month. */
  conflict?: TableConflict;
  rowsRead: number;
  /** Number of good rows that report zero flights; absent if there are no such rows. */
  rowsEmpty?: number;
  /** Scheduled flights in the good rows: one per row, or the count in a row of aggregates. */
  flights: number;
  rejects: Record<string, number>;
};

/** Facts from the manifest of a month that was extracted from a source. */
export type ExtractedMonth = Pick<MonthManifest, 'month' | 'rejects'> & {
  rows: MonthManifest['rows'] & { empty?: number };
};
