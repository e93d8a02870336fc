import { type DAY_FEATURES, FEATURES } from '../features.ts';
import { levelOf } from './level.ts';
import { fitRidge, ridgeLogOdds, type RidgeFit } from './ridge.ts';
import { rowsWhere, type TrainingRows } from './rows.ts';
import { bestRounds, fitTrees, type TreeProgress } from './trees.ts';
import type { Xgboost } from './xgboost.ts';

/** A fitted model before it becomes a file: the mean of both parts, made flatter or steeper, on top of a level. */
export type Fit = {
  ridge: RidgeFit;
  /** XGBoost's JSON text. */
  trees: string;
  rounds: number;
  slope: number;
  level: number;
  /** How much of the log-odds of the day is believed, 0 to 1. */
  dayWeights: Record<(typeof DAY_FEATURES)[number], number>;
};

export type FitSettings = {
  seed: number;
  /** Days the calendar's odds rest on. */
  calendarDays: number;
};

/** Information, in flights x p x (1-p), with which a weight of an effect is pulled toward 0. */
const WEIGHT_PENALTY = 200;

/** With which the slope is pulled toward 1: delays of a day go together, so flights tell less than their number. */
const SLOPE_PENALTY = 2000;

/** Share of the months that are later ones, and rounds where a history is too short to have any. */
const LATER_SHARE = 1 / 3;
const DEFAULT_ROUNDS = 100;

/**
 * Learns from the rows what tells flights of a month apart: the mean of a ridge regression and of shallow trees. On
 * the later months, of which neither has seen anything, are chosen how many trees there are and how steep the mean is.
 */
export function fitModel(
  xgboost: Xgboost,
  rows: TrainingRows,
  { seed, calendarDays }: FitSettings,
  progress: TreeProgress,
): Fit {
  const { earlier, later } = splitByTime(rows);
  const isSplit = earlier.count > 0 && later.count > 0;
  const rounds = isSplit ? bestRounds(xgboost, { earlier, later }, seed, progress) : DEFAULT_ROUNDS;
  const mean = (from: TrainingRows, scored: TrainingRows) =>
    meanOf(xgboost, { rows: from, scored }, { rounds, seed }, progress);
  const slope = isSplit ? slopeOn(later, mean(earlier, later).logOdds) : 1;
  const { ridge, trees, logOdds } = mean(rows, rows);
  const beyond = logOdds.map((value, at) => slope * value + (rows.season[at] as number));
  const level = levelOf(beyond, rows.flights, rows.delayed);
  return { ridge, trees, rounds, slope, level, dayWeights: dayWeights(calendarDays) };
}

/**
 * Months are shrunk where they are estimated: one year's are believed by half, two years' by two thirds. Weekdays and
 * holidays are believed in the same measure.
 */
function dayWeights(calendarDays: number): Fit['dayWeights'] {
  const years = calendarDays / 365;
  const belief = years / (years + 1);
  return { month_odds: 1, weekday_odds: belief, holiday_odds: belief };
}

/** The last third of the months, and those before. */
function splitByTime(rows: TrainingRows): { earlier: TrainingRows; later: TrainingRows } {
  const months = [...new Set(rows.month)].toSorted((a, b) => a - b);
  const first = months[months.length - Math.floor(months.length * LATER_SHARE)] ?? Infinity;
  return {
    earlier: rowsWhere(rows, (month) => month < first),
    later: rowsWhere(rows, (month) => month >= first),
  };
}

function meanOf(
  xgboost: Xgboost,
  { rows, scored }: { rows: TrainingRows; scored: TrainingRows },
  settings: { rounds: number; seed: number },
  progress: TreeProgress,
) {
  const ridge = fitRidge(binomial(rows), PENALTIES);
  const forest = fitTrees(xgboost, { rows, scored }, settings, progress);
  const linear = ridgeLogOdds(scored.features, ridge);
  const logOdds = forest.logOdds.map((value, at) => (value + (linear[at] as number)) / 2);
  return { ridge, trees: forest.json, logOdds };
}

/** How steep the log-odds should be, given the months' own levels. */
function slopeOn(rows: TrainingRows, logOdds: Float64Array): number {
  const data = { ...binomial(rows), x: Float32Array.from(logOdds), columns: 1 };
  return fitRidge(data, [SLOPE_PENALTY], [1]).weights[0] ?? 1;
}

function binomial({ features, flights, delayed, monthLogOdds }: TrainingRows) {
  return {
    x: features,
    columns: FEATURES.length,
    trials: flights,
    successes: delayed,
    offset: monthLogOdds,
  };
}

/** The regression looks at effects alone: the hour and the distance have no straight line. */
const PENALTIES = FEATURES.map(({ name }) => (name.endsWith('_effect') ? WEIGHT_PENALTY : 1e12));
