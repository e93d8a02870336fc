import { pairedFigures, type PairedFigures } from '../../models/evaluate/paired.ts';
import type { LevelCell } from '../../warehouse/build/level-cells.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { NothingToMeasureError } from '../errors.ts';

/**
 * The simple forecasts that the levels are compared with: the rate of the same month in the year before, and the rate
 * of the last twelve months.
 */
export const LEVEL_BASELINES = ['last_year', 'last_twelve'] as const;

export type LevelBaseline = (typeof LEVEL_BASELINES)[number];

export const LEVEL_FORECASTS = ['levels', ...LEVEL_BASELINES] as const;

export type LevelForecast = (typeof LEVEL_FORECASTS)[number];

/**
 * A month of the whole table: the observed share of flights 15 minutes late or more (`came`), and the forecasts of this
 * share.
 */
type WholeMonth = { month: string; came: number; forecast: Record<LevelForecast, number> };

/** Errors of the forecasts for whole months. */
type MonthErrors = {
  months: number;
  /** Root mean square of forecast minus observed share, in log-odds. */
  logOdds: number;
  /** Number of months in which the forecast differs from the observed share by at most a fifth of this share. */
  withinFifth: number;
};

/** A figure for all months together, and for each year. */
type ByYear<T> = { all: T; years: Record<string, T> };

/**
 * Backtest of the delay-cause table. Each month of an airline at an airport is forecast from the data known at the
 * beginning of that month.
 */
export type LevelBacktest = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  /** Number of months of airlines at airports. */
  cells: number;
  /**
   * Forecasts of flights 15 minutes late or more: the levels compared with each baseline, for all months together and
   * for each year.
   */
  against: Record<LevelBaseline, ByYear<PairedFigures>>;
  wholeMonths: WholeMonth[];
  /** Errors of the forecasts for whole months. */
  off: Record<LevelForecast, ByYear<MonthErrors>>;
};

export type LevelBacktestDeps = {
  /** The months of the table, `YYYY-MM`, ascending. */
  months: () => Promise<string[]>;
  /**
   * Returns one cell for each airline at an airport in a month, with the forecast made at the beginning of the month.
   */
  cellsOf: (month: string) => Promise<LevelCell[]>;
  log: (line: string) => void;
};

/**
 * Forecasts every month of the table from a day (`YYYY-MM-DD`) on; throws `NothingToMeasureError` when the table has no
 * such month.
 */
export async function levelBacktest(
  cut: string,
  { months, cellsOf, log }: LevelBacktestDeps,
): Promise<LevelBacktest> {
  const testMonths = (await months()).filter((month) => `${month}-01` >= cut);
  if (testMonths.length === 0) {
    throw new NothingToMeasureError(`the table has no month on or after ${cut}`);
  }
  const cells: DatedCell[] = [];
  for (const month of testMonths) {
    log(`forecasting ${month}`);
    for (const cell of await cellsOf(month)) cells.push({ ...cell, month });
  }
  const wholeMonths = [...Map.groupBy(cells, ({ month }) => month)].map(([month, group]) =>
    wholeMonth(month, group),
  );
  return {
    months: testMonths,
    cells: cells.length,
    against: buildRecord(LEVEL_BASELINES, (baseline) =>
      byYear(cells, (group) => pairWith(baseline, group)),
    ),
    wholeMonths,
    off: buildRecord(LEVEL_FORECASTS, (source) =>
      byYear(wholeMonths, (group) => monthErrors(source, group)),
    ),
  };
}

type DatedCell = LevelCell & { month: string };

function pairWith(baseline: LevelBaseline, cells: DatedCell[]): PairedFigures {
  return pairedFigures(
    cells.map((cell) => ({
      cluster: cell.month,
      flights: cell.arrived_count,
      delayed: cell.late_count,
      ours: cell.levels,
      theirs: cell[baseline],
    })),
  );
}

function wholeMonth(month: string, cells: DatedCell[]): WholeMonth {
  const arrived = sum(cells.map(({ arrived_count }) => arrived_count));
  const expectedLate = (source: LevelForecast) =>
    sum(cells.map((cell) => cell[source] * cell.arrived_count));
  return {
    month,
    came: sum(cells.map(({ late_count }) => late_count)) / arrived,
    forecast: buildRecord(LEVEL_FORECASTS, (source) => expectedLate(source) / arrived),
  };
}

function monthErrors(source: LevelForecast, months: WholeMonth[]): MonthErrors {
  const squares = months.map(({ came, forecast }) => (logit(forecast[source]) - logit(came)) ** 2);
  const closeMonths = months.filter(
    ({ came, forecast }) => Math.abs(forecast[source] / came - 1) <= 0.2,
  );
  return {
    months: months.length,
    logOdds: Math.sqrt(sum(squares) / months.length),
    withinFifth: closeMonths.length,
  };
}

function byYear<T extends { month: string }, F>(all: T[], compute: (some: T[]) => F): ByYear<F> {
  const years = [...Map.groupBy(all, ({ month }) => month.slice(0, 4))];
  return {
    all: compute(all),
    years: Object.fromEntries(years.map(([year, group]) => [year, compute(group)])),
  };
}

function buildRecord<K extends string, T>(
  keys: readonly K[],
  compute: (key: K) => T,
): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, compute(key)])) as Record<K, T>;
}
