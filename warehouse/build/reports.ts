export type LoadReport = {
  /** Months now in the warehouse from this load, `YYYY-MM`, ascending. */
  months: string[];
  /** Scheduled flights they hold. */
  flights: number;
};

export type CheckResult = {
  check: string;
  severity: 'error' | 'warn';
  /** Offending rows found; 0 is a pass. */
  failures: number;
};

/** Where flights of a form and the delay-cause table disagree by more than 2 %, and the place that differs most. */
export type LevelConflict = {
  form: string;
  /** First and last month with a conflict, `YYYY-MM`. */
  firstMonth: string;
  lastMonth: string;
  /** Months of airlines at airports of arrival that were compared, and those in conflict. */
  compared: number;
  conflicts: number;
  /** Share of the compared flights that is in conflict. */
  flightShare: number;
  month: string;
  carrier: string;
  airport: string;
  source: string;
  flights: number;
  flightsTold: number;
  /** Late by 15 minutes; null where departures do not tell it. */
  late: number | null;
  lateTold: number;
};

export type BuildReport = {
  /** Rows per mart. */
  rows: Record<string, number>;
  checks: CheckResult[];
  /** None in the ledger of builds from before it was compared. */
  conflicts?: LevelConflict[];
};

/** What was loaded and built anew. */
export type RebuildReport = LoadReport & BuildReport;
