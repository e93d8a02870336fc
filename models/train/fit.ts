import type { DAY_FEATURES } from '../features.ts';
import { dayBelief } from '../season.ts';
import { WEATHER_BELIEF } from '../weather-odds.ts';
import { levelOf, monthLevels } from './level.ts';
import { fitRidge } from './ridge.ts';
import { rowsWhere, type Rows, type TrainingRows } from './rows.ts';
import { bestRounds, fitTrees, type TreeProgress } from './trees.ts';
import type { Xgboost } from './xgboost.ts';

/** A fitted model before it becomes a file: parts of log-odds that add up. */
export type Fit = {
  level: number;
  /** What the sum of the effects counts. */
  effectWeight: number;
  /** XGBoost's JSON text; absent where the history is too short for any. */
  trees?: string;
  treeWeight: number;
  /** How much of the log-odds of the day is believed, 0 to 1. */
  dayWeights: Record<(typeof DAY_FEATURES)[number], number>;
};

export type FitSettings = {
  seed: number;
  /** Days the calendar's odds rest on. */
  calendarDays: number;
};

/** What is believed of the trees: the mean of the effects alone and of the effects with all the trees. */
const TREE_SHARE = 0.5;

/** With which the slope is pulled toward 1: delays of a day go together, so flights tell less than their number. */
const SLOPE_PENALTY = 2000;

/** Share of the months that are later ones. */
const LATER_SHARE = 1 / 3;

/**
 * Learns what the effects leave to be learned, from months of which they knew nothing: shallow trees on top of them.
 * On the later months, of which the trees have seen nothing, are chosen how many trees there are and how steep the whole is.
 */
export function fitModel(
  xgboost: Xgboost,
  { forecast, served }: TrainingRows,
  { seed, calendarDays }: FitSettings,
  progress: TreeProgress,
): Fit {
  const { earlier, later } = splitByTime(forecast);
  const isSplit = earlier.count > 0 && later.count > 0;
  const best = isSplit ? bestRounds(xgboost, { earlier, later }, seed, progress) : undefined;
  const slope = best ? slopeOn(later, withTrees(later, best.logOdds)) : 1;
  const rounds = best?.rounds ?? 0;
  const forest =
    rounds > 0
      ? fitTrees(xgboost, { rows: forecast, scored: served }, { rounds, seed }, progress)
      : undefined;
  const beyond = withTrees(served, forest?.logOdds).map(
    (value, row) => slope * value + (served.season[row] as number),
  );
  return {
    level: levelOf(beyond, served),
    effectWeight: slope,
    ...(forest && { trees: forest.json }),
    treeWeight: slope * TREE_SHARE,
    dayWeights: dayWeights(calendarDays),
  };
}

function dayWeights(calendarDays: number): Fit['dayWeights'] {
  const { month, weekday, holiday } = dayBelief(calendarDays);
  return {
    month_odds: month,
    weekday_odds: weekday,
    holiday_odds: holiday,
    weather_odds: WEATHER_BELIEF,
  };
}

/** The last third of the months, and those before. */
function splitByTime(rows: Rows): { earlier: Rows; later: Rows } {
  const months = [...new Set(rows.month)].toSorted((a, b) => a - b);
  const first = months[months.length - Math.floor(months.length * LATER_SHARE)] ?? Infinity;
  const isLater = (row: number) => (rows.month[row] as number) >= first;
  return {
    earlier: rowsWhere(rows, (row) => !isLater(row)),
    later: rowsWhere(rows, isLater),
  };
}

/** Effects and the trees' share, in log-odds beyond the level. */
function withTrees({ effects }: Rows, trees: Float64Array | undefined): Float64Array {
  return effects.map((value, row) => value + TREE_SHARE * (trees?.[row] ?? 0));
}

/** How steep the log-odds should be, given the months' own levels. */
function slopeOn(rows: Rows, logOdds: Float64Array): number {
  const data = {
    x: Float32Array.from(logOdds),
    columns: 1,
    trials: rows.flights,
    successes: rows.delayed,
    offset: monthLevels(rows),
  };
  return fitRidge(data, [SLOPE_PENALTY], [1]).weights[0] ?? 1;
}
