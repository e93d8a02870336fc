import { FEATURES } from '../features.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { isBeyondLuck } from './beyond-luck.ts';
import { monthLevels } from './level.ts';
import { isEffect, type Rows } from './rows.ts';
import type { Booster, Data, Params, Xgboost } from './xgboost.ts';

/** Told after each tree: how many of at most how many. */
export type TreeProgress = (done: number, most: number) => void;

export type Forest = {
  /** XGBoost's JSON text. */
  json: string;
  /** What they add to the log-odds of each row of `scored`. */
  logOdds: Float64Array;
};

/** Rounds without gain on the later months before the search for their number ends. */
const PATIENCE = 30;
const MOST_ROUNDS = 300;

/** Shallow, slow and smooth: one season must not be learned by heart. Docs: `docs/model.md`. */
export const PARAMS: Params = {
  objective: 'binary:logistic',
  // 0 in log-odds: what is expected comes with each row.
  base_score: 0.5,
  tree_method: 'hist',
  max_depth: 3,
  eta: 0.05,
  min_child_weight: 100,
  lambda: 20,
  subsample: 0.6,
  colsample_bytree: 0.7,
  // A histogram summed by several threads differs in its last bits from run to run.
  nthread: 1,
  verbosity: 0,
  // An effect may only raise the risk; the hour and the distance are free.
  monotone_constraints: `(${FEATURES.map(({ name }) => (isEffect(name) ? 1 : 0)).join(',')})`,
};

/**
 * How many rounds, learned from the earlier rows, predict the later ones best, and what they add there: none, unless the
 * later months gain by them beyond luck.
 */
export function bestRounds(
  xgboost: Xgboost,
  { earlier, later }: { earlier: Rows; later: Rows },
  seed: number,
  progress: TreeProgress,
): { rounds: number; logOdds: Float64Array } {
  const expected = expectedOf(later);
  const [train, test] = [dataOf(xgboost, earlier), dataOf(xgboost, later, expected)];
  const booster = xgboost.booster({ ...PARAMS, seed }, [train, test]);
  try {
    let predicted = predict(booster, test);
    const none = { rounds: 0, loss: logLoss(predicted, later), predicted };
    let best = none;
    for (let round = 0; round < MOST_ROUNDS && round - best.rounds < PATIENCE; round++) {
      booster.update(round, train);
      predicted = predict(booster, test);
      const loss = logLoss(predicted, later);
      if (loss < best.loss) best = { rounds: round + 1, loss, predicted };
      progress(round + 1, MOST_ROUNDS);
    }
    if (!isBeyondLuck(gainsByMonth(none.predicted, best.predicted, later))) best = none;
    const added = (p: number, row: number) => logit(p) - (expected[row] as number);
    return { rounds: best.rounds, logOdds: Float64Array.from(best.predicted, added) };
  } finally {
    freeAll(booster, train, test);
  }
}

/** That many rounds of trees, and what they make of other rows; the same rows and seed give the same trees. */
export function fitTrees(
  xgboost: Xgboost,
  { rows, scored }: { rows: Rows; scored: Rows },
  { rounds, seed }: { rounds: number; seed: number },
  progress: TreeProgress,
): Forest {
  const [train, test] = [
    dataOf(xgboost, rows),
    dataOf(xgboost, scored, new Float32Array(scored.count)),
  ];
  const booster = xgboost.booster({ ...PARAMS, seed }, [train, test]);
  try {
    for (let round = 0; round < rounds; round++) {
      booster.update(round, train);
      progress(round + 1, rounds);
    }
    const logOdds = Float64Array.from(predict(booster, test), (p) => logit(p));
    return { json: booster.save(), logOdds };
  } finally {
    freeAll(booster, train, test);
  }
}

/** The rows as XGBoost takes them; they start from what their month and effects expect unless other margins are given. */
export function dataOf(
  xgboost: Xgboost,
  rows: Rows,
  margins: Float32Array = expectedOf(rows),
): Data {
  return xgboost.data({
    values: rows.features,
    columns: FEATURES.length,
    labels: Float32Array.from(rows.delayed, (delayed, at) =>
      Math.min(1, delayed / (rows.flights[at] as number)),
    ),
    weights: Float32Array.from(rows.flights),
    margins,
  });
}

/** Log-odds of each row by its effects, at the level of its month. */
function expectedOf(rows: Rows): Float32Array {
  const levels = monthLevels(rows);
  return Float32Array.from(rows.effects, (effect, row) => effect + (levels[row] as number));
}

/** The highest probability below certainty that a float32 tells from it. */
const ALMOST_CERTAIN = 1 - 2 ** -24;

/** Probabilities whose log-odds are finite, also in a month in which every flight was late. */
function predict(booster: Booster, data: Data): Float32Array {
  return booster.predict(data).map((p) => Math.min(p, ALMOST_CERTAIN));
}

function logLoss(predicted: Float32Array, rows: Rows): number {
  return predicted.reduce((sum, p, row) => sum + lossOf(p, rows, row), 0);
}

/** By how much the log loss of each month is lower by the second than by the first. */
function gainsByMonth(before: Float32Array, after: Float32Array, rows: Rows): number[] {
  const gains = new Map<number, number>();
  for (const [row, month] of rows.month.entries()) {
    const gain = lossOf(before[row] as number, rows, row) - lossOf(after[row] as number, rows, row);
    gains.set(month, (gains.get(month) ?? 0) + gain);
  }
  return [...gains.values()];
}

function lossOf(p: number, { flights, delayed }: Rows, row: number): number {
  const late = delayed[row] as number;
  return -(late * Math.log(p) + ((flights[row] as number) - late) * Math.log(1 - p));
}

function freeAll(...parts: (Booster | Data)[]): void {
  for (const part of parts) part.free();
}
