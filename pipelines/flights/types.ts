/** Requests and reports of ingest; `rows…` fields count rows of the source. */
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Completeness } from '../../warehouse/snapshot.ts';
import type { Losses, MonthExtent, TableConflict } from '../../warehouse/extract/staged-month.ts';
import type { UnknownValues } from '../../warehouse/extract/unknown-values.ts';
import type { MonthSource } from './month-source.ts';
import type { Month } from './months.ts';

/** A file to extract, with conditions for it. */
export type ExtractRequest = {
  path: string;
  /** Paths of other files with flights of the same months; a flight in several files is counted once. */
  parts?: string[];
  /** For forms without a year. */
  year?: number;
  /** The only month (`YYYY-MM`) that the file may contain. */
  month?: string;
  /** Extract an unchanged source again, and replace a month even if the lake loses flights. */
  force?: boolean;
  /**
   * SHA-256 of sources that this load may replace, even if the lake loses flights. Months from other sources are
   * protected. If absent, no month is protected, and the usual checks apply.
   */
  replaces?: readonly string[];
  /** Leave out months that an operator dropped. Schedules set this; an operator's request loads such months again. */
  keepDropped?: boolean;
  /** Write nothing; only report the outcome for each month. */
  dryRun?: boolean;
};

/** Extent of a month before and after its replacement. */
export type ExtentChange = { before: MonthExtent; after: MonthExtent };

export type MonthReport = {
  /** `YYYY-MM`. */
  month: string;
  /** 12 for the counts of a whole year. */
  periodMonths?: 12;
  rowsRead: number;
  rowsLoaded: number;
  /** Number of rows of the delay-cause table that report zero flights; absent if there are no such rows. */
  rowsEmpty?: number;
  rowsRejected: number;
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  /**
   * `refused` means that the month has too many bad rows, or that the lake would lose too much; the lake then keeps its
   * version. `dropped` means that the month was left out, because an operator dropped it. In a dry run, the field has
   * the outcome that a real run would have.
   */
  outcome: 'written' | 'unchanged' | 'refused' | 'dropped';
  /**
   * Extent of the month before and after the replacement, also for refused months; absent if the lake had no intact
   * version.
   */
  replaced?: ExtentChange;
  /** Flights that the lake loses, or would lose, by the replacement; absent if no group loses a flight. */
  losses?: Losses;
  /** Whether the month has all flights; absent for the delay-cause table and for unchanged months. */
  completeness?: Completeness;
  /** Flights that the delay-cause table does not have; absent if there are none. */
  conflict?: TableConflict;
  /** Why the month was refused. */
  why?: string;
};

export type ExtractReport = {
  source: SourceRef;
  /** rowsRead = rowsLoaded + rowsRejected + rowsEmpty of all months. */
  rowsRead: number;
  rowsLoaded: number;
  rowsRejected: number;
  /**
   * Rejected rows without a month, by reason. They are included in `rowsRejected`, but not in the counts of a month.
   */
  undatedRejects: Record<string, number>;
  /** Values that are in no table of codes or names, so that their rows were rejected; absent if there are none. */
  unknownValues?: UnknownValues[];
  months: MonthReport[];
  /** Notes for the user, for example where the year came from. */
  notes: string[];
};

export type MonthRequest = {
  month: Month;
  source: MonthSource;
  /** Fetch and extract the month even if the file is unchanged or the lake loses flights. */
  force: boolean;
};

/** Result of one month of a backfill. A failed month throws an error instead. */
export type MonthResult = {
  month: Month;
  /** `absent`: the source does not have the file, or does not have it yet. */
  outcome: 'done' | 'unchanged' | 'absent';
  /** Why the month was skipped. */
  why?: string;
  rowsLoaded: number;
  rowsRejected: number;
  /** Extent of the month before and after the replacement; absent if the lake had no intact version. */
  replaced?: ExtentChange;
  /** Flights that the lake lost by the replacement; absent if no group lost a flight. */
  losses?: Losses;
};
