import { pairedFigures, type PairedFigures } from '../../models/evaluate/paired.ts';
import type { LevelCell } from '../../warehouse/build/level-cells.ts';
import { NothingToMeasureError } from '../errors.ts';

/** The rates that levels are held against. */
export const LEVEL_BASELINES = ['last_year', 'last_twelve'] as const;

export type LevelBaseline = (typeof LEVEL_BASELINES)[number];

/** Forecasts of airline-airports' months of the delay-cause table, each from what was known when the month began. */
export type LevelBacktest = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  /** Airline-airport-months. */
  cells: number;
  /** Late by 15 minutes: levels against each rate, of all months and of those of each year. */
  against: Record<LevelBaseline, { all: PairedFigures; years: Record<string, PairedFigures> }>;
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
  const cells: (LevelCell & { month: string })[] = [];
  for (const month of tested) {
    log(`forecasting ${month}`);
    for (const cell of await cellsOf(month)) cells.push({ ...cell, month });
  }
  const paired = (baseline: LevelBaseline, some: typeof cells) =>
    pairedFigures(
      some.map((cell) => ({
        cluster: cell.month,
        flights: cell.arrived_count,
        delayed: cell.late_count,
        ours: cell.levels,
        theirs: cell[baseline],
      })),
    );
  const years = [...Map.groupBy(cells, ({ month }) => month.slice(0, 4))];
  const against = LEVEL_BASELINES.map((baseline) => [
    baseline,
    {
      all: paired(baseline, cells),
      years: Object.fromEntries(years.map(([year, some]) => [year, paired(baseline, some)])),
    },
  ]);
  return {
    months: tested,
    cells: cells.length,
    against: Object.fromEntries(against) as LevelBacktest['against'],
  };
}
