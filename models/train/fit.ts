import type { DAY_FEATURES } from '../features.ts';
import { dayShrinkage } from '../season.ts';
import { WEATHER_SHARE } from '../weather-odds.ts';
import { levelOf, monthLevels } from './level.ts';
import { fitRidge } from './ridge.ts';
import { rowsWhere, type Rows, type TrainingRows } from './rows.ts';
import { bestRounds, fitTrees, type TreeProgress, dataOf } from './trees.ts';
import type { Xgboost } from './xgboost.ts';

/** A fitted model before it is written to a file. The log-odds of delay are the sum of its parts. */
export type Fit = {
  level: number;
  /** Weight of the sum of the effects. */
  effectWeight: number;
  /** XGBoost's JSON text; absent when the history is too short for trees. */
  trees?: string;
  treeWeight: number;
  /** Weights, 0 to 1, of the log-odds of the day. */
  dayWeights: Record<(typeof DAY_FEATURES)[number], number>;
};

export type FitSettings = {
  seed: number;
  /** Number of days with dated flights; weekday and holiday odds come from these days. */
  calendarDays: number;
};

/**
 * Weight of the trees. With 0.5, the fit is the mean of two models: the effects alone, and the effects with the full
 * trees.
 */
const TREE_SHARE = 0.5;

/**
 * Weight of the expectation that the slope is 1. The weight is large: delays of a day are correlated, so flights give
 * less information than their number suggests.
 */
const SLOPE_PENALTY = 2000;

/** Share of the months on which the trees are not trained: the latest months. */
const LATER_SHARE = 1 / 3;

/**
 * Fits a model. Shallow trees learn what the effects leave unexplained, on months that the effects have not seen. The
 * trees are trained on the earlier of these months. The later months decide the number of trees and the slope of the
 * log-odds.
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
  const logOdds = withTrees(served, forest?.logOdds).map(
    (value, row) => slope * value + (served.season[row] as number),
  );
  return {
    level: levelOf(logOdds, served),
    effectWeight: slope,
    ...(forest && { trees: forest.json }),
    treeWeight: slope * TREE_SHARE,
    dayWeights: dayWeights(calendarDays),
  };
}

function dayWeights(calendarDays: number): Fit['dayWeights'] {
  const { month, weekday, holiday } = dayShrinkage(calendarDays);
  return {
    month_odds: month,
    weekday_odds: weekday,
    holiday_odds: holiday,
    weather_odds: WEATHER_SHARE,
  };
}

/** Splits the rows into the last third of the months and the months before. */
function splitByTime(rows: Rows): { earlier: Rows; later: Rows } {
  const months = [...new Set(rows.month)].toSorted((a, b) => a - b);
  const first = months[months.length - Math.floor(months.length * LATER_SHARE)] ?? Infinity;
  const isLater = (row: number) => (rows.month[row] as number) >= first;
  return {
    earlier: rowsWhere(rows, (row) => !isLater(row)),
    later: rowsWhere(rows, isLater),
  };
}

/** Returns effects plus weighted trees, in log-odds without the level. */
function withTrees({ effects }: Rows, trees: Float64Array | undefined): Float64Array {
  return effects.map((value, row) => value + TREE_SHARE * (trees?.[row] ?? 0));
}

/** Fits the slope of the log-odds. The level of each month is known. */
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

const ROUNDS = 100;

/** Fits XGBoost with default settings (100 rounds of depth 6) on the same rows as our trees, for comparison. */
export function fitPlain(xgboost: Xgboost, { forecast, served }: TrainingRows, seed: number): Fit {
  const rows = forecast.count > 0 ? forecast : served;
  const data = dataOf(xgboost, rows, new Float32Array(rows.count));
  const booster = xgboost.booster(
    { objective: 'binary:logistic', tree_method: 'hist', nthread: 1, seed, verbosity: 0 },
    [data],
  );
  try {
    for (let round = 0; round < ROUNDS; round++) booster.update(round, data);
    const dayWeights = { month_odds: 0, weekday_odds: 0, holiday_odds: 0, weather_odds: 0 };
    return { level: 0, effectWeight: 0, trees: booster.save(), treeWeight: 1, dayWeights };
  } finally {
    booster.free();
    data.free();
  }
}
