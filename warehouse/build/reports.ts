import type { Severity } from './check-header.ts';

export type LoadReport = {
  /** Months loaded into the warehouse, `YYYY-MM`, ascending. */
  months: string[];
  /** Scheduled flights of these months. */
  flights: number;
};

export type CheckResult = {
  check: string;
  /** The highest severity of the offending rows. */
  severity: Severity;
  /** Number of offending rows; 0 is a pass. */
  failures: number;
  /** Hash of the names and months in the offending rows; absent without offending rows. */
  fingerprint?: string;
  /**
   * The reason why a user's check could not run, or why a user's model was not built. For a model, `check` is the name
   * of the model.
   */
  problem?: string;
};

/**
 * Flights of one form of source files differ from the delay-cause table by more than 2 %. The fields from `month` on
 * describe the largest difference.
 */
export type LevelConflict = {
  form: string;
  /** First and last month with a conflict, `YYYY-MM`. */
  firstMonth: string;
  lastMonth: string;
  /**
   * Number of comparisons, and number of comparisons with a difference over 2 %. Each comparison is for one airline at
   * one airport of arrival in one month.
   */
  compared: number;
  conflicts: number;
  /** Flights of the comparisons with a difference over 2 %, as a share of the flights of all comparisons. */
  flightShare: number;
  month: string;
  carrier: string;
  airport: string;
  source: string;
  flights: number;
  flightsTold: number;
  /** Flights 15 minutes late or more; null if the flights have departure delays only. */
  late: number | null;
  lateTold: number;
};

export type BuildReport = {
  /** Rows per mart. */
  rows: Record<string, number>;
  checks: CheckResult[];
  /** Absent if the flights were not compared with the delay-cause table. */
  conflicts?: LevelConflict[];
  /** Failing checks of the records of other providers, by provider; absent without other records. */
  providers?: Record<string, CheckResult[]>;
};

/** Report of the loaded months and the build. */
export type RebuildReport = LoadReport & BuildReport;
