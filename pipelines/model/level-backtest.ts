import { pairedFigures, type PairedFigures } from '../../models/evaluate/paired.ts';
import type { LevelCell } from '../../warehouse/build/level-cells.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { sum } from '../../warehouse/ground/sum.ts';
import { NothingToMeasureError } from '../errors.ts';

/** The rates that levels are held against. */
export const LEVEL_BASELINES = ['last_year', 'last_twelve'] as const;

export type LevelBaseline = (typeof LEVEL_BASELINES)[number];

export const LEVEL_FORECASTS = ['levels', ...LEVEL_BASELINES] as const;

export type LevelForecast = (typeof LEVEL_FORECASTS)[number];

/** A month of the whole table: the share that was late by 15 minutes, and what was forecast of the same flights. */
type WholeMonth = { month: string; came: number; forecast: Record<LevelForecast, number> };

/** How far off whole months are. */
type MonthsOff = {
  months: number;
  /** Root mean square of forecast less share, in log-odds. */
  logOdds: number;
  /** Months whose share was forecast to within a fifth of it. */
  withinFifth: number;
};

/** Of all months, and of those of each year. */
type ByYear<T> = { all: T; years: Record<string, T> };

/** Forecasts of airline-airports' months of the delay-cause table, each from what was known when the month began. */
export type LevelBacktest = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  /** Airline-airport-months. */
  cells: number;
  /** Late by 15 minutes: levels against each rate, of all months and of those of each year. */
  against: Record<LevelBaseline, ByYear<PairedFigures>>;
  wholeMonths: WholeMonth[];
  /** The same by who forecast them. */
  off: Record<LevelForecast, ByYear<MonthsOff>>;
};

export type LevelBacktestDeps = {
  /** The months of the table, `YYYY-MM`, ascending. */
  months: () => Promise<string[]>;
  /** The airline-airports of a month, as they were forecast at its begin. */
  cellsOf: (month: string) => Promise<LevelCell[]>;
  log: (line: string) => void;
};

/** Forecasts every month of the table from a day on (`YYYY-MM-DD`); throws `NothingToMeasureError` where there is none. */
export async function levelBacktest(
  cut: string,
  { months, cellsOf, log }: LevelBacktestDeps,
): Promise<LevelBacktest> {
  const tested = (await months()).filter((month) => `${month}-01` >= cut);
  if (tested.length === 0) throw new NothingToMeasureError(`the table has no month from ${cut} on`);
  const cells: DatedCell[] = [];
  for (const month of tested) {
    log(`forecasting ${month}`);
    for (const cell of await cellsOf(month)) cells.push({ ...cell, month });
  }
  const wholeMonths = [...Map.groupBy(cells, ({ month }) => month)].map(([month, some]) =>
    wholeMonth(month, some),
  );
  return {
    months: tested,
    cells: cells.length,
    against: record(LEVEL_BASELINES, (baseline) => byYear(cells, (some) => paired(baseline, some))),
    wholeMonths,
    off: record(LEVEL_FORECASTS, (by) => byYear(wholeMonths, (some) => monthsOff(by, some))),
  };
}

type DatedCell = LevelCell & { month: string };

function paired(baseline: LevelBaseline, cells: DatedCell[]): PairedFigures {
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
  const said = (by: LevelForecast) => sum(cells.map((cell) => cell[by] * cell.arrived_count));
  return {
    month,
    came: sum(cells.map(({ late_count }) => late_count)) / arrived,
    forecast: record(LEVEL_FORECASTS, (by) => said(by) / arrived),
  };
}

function monthsOff(by: LevelForecast, months: WholeMonth[]): MonthsOff {
  const squares = months.map(({ came, forecast }) => (logit(forecast[by]) - logit(came)) ** 2);
  const near = months.filter(({ came, forecast }) => Math.abs(forecast[by] / came - 1) <= 0.2);
  return {
    months: months.length,
    logOdds: Math.sqrt(sum(squares) / months.length),
    withinFifth: near.length,
  };
}

function byYear<T extends { month: string }, F>(all: T[], of: (some: T[]) => F): ByYear<F> {
  const years = [...Map.groupBy(all, ({ month }) => month.slice(0, 4))];
  return { all: of(all), years: Object.fromEntries(years.map(([year, some]) => [year, of(some)])) };
}

function record<K extends string, T>(keys: readonly K[], of: (key: K) => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, T>;
}
