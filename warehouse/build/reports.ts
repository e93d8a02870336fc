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
  /** Hash of what the offending rows name; absent without such rows. */
  fingerprint?: string;
  /** Why a user's check could not run, or why a user's model was not built; `check` is then the model. */
  problem?: string;
};

/**
 * Conflict of more than 2 % between flights of one form and the delay-cause table, with the comparison that differs
 * most.
 */
export type LevelConflict = {
  form: string;
  /** First and last month with a conflict, `YYYY-MM`. */
  firstMonth: string;
  lastMonth: string;
  /**
   * Number of comparisons, and number of comparisons in conflict. Each comparison covers one airline at one airport of
   * arrival in one month.
   */
  compared: number;
  conflicts: number;
  /** Share of the compared flights in conflict. */
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
  /** Absent if the figures were not compared. */
  conflicts?: LevelConflict[];
  /** Failing checks of other providers' records, by provider; absent without such records. */
  providers?: Record<string, CheckResult[]>;
};

/** Report of the loaded months and the build. */
export type RebuildReport = LoadReport & BuildReport;
