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

export type BuildReport = {
  /** Rows per mart. */
  rows: Record<string, number>;
  checks: CheckResult[];
};

/** What was loaded and built anew. */
export type RebuildReport = LoadReport & BuildReport;
