import { FEATURES } from '../features.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { monthLevels } from './level.ts';
import { isEffect, type Rows } from './rows.ts';
import type { Booster, Data, Params, Xgboost } from './xgboost.ts';

/** Called after each tree with the number of trees done and the largest possible number. */
export type TreeProgress = (done: number, total: number) => void;

export type Forest = {
  /** XGBoost's JSON text. */
  json: string;
  /** Log-odds that the trees add to each row of `scored`. */
  logOdds: Float64Array;
};

/** The search for the number of rounds stops after this number of rounds without improvement on the later months. */
const PATIENCE = 30;
const MAX_ROUNDS = 300;

/** Parameters for shallow, slow and smooth trees, which cannot memorise a single season; see `docs/model.md`. */
export const PARAMS: Params = {
  objective: 'binary:logistic',
  // A probability of 0.5 is 0 in log-odds, so it adds nothing: each row starts from its own expected log-odds.
  base_score: 0.5,
  tree_method: 'hist',
  max_depth: 3,
  eta: 0.05,
  min_child_weight: 100,
  lambda: 20,
  subsample: 0.6,
  colsample_bytree: 0.7,
  // One thread, because with several threads the last bits of a sum differ from run to run.
  nthread: 1,
  verbosity: 0,
  // Features with an effect can only raise the risk. Hour and distance are unconstrained.
  monotone_constraints: `(${FEATURES.map(({ name }) => (isEffect(name) ? 1 : 0)).join(',')})`,
};

/**
 * Trains on the earlier rows, and finds the number of rounds that predicts the later rows best. Also returns the
 * log-odds that the trees add to each later row. Returns 0 rounds unless the improvement on the later months exceeds
 * its standard error.
 */
export function bestRounds(
  xgboost: Xgboost,
  { earlier, later }: { earlier: Rows; later: Rows },
  seed: number,
  progress: TreeProgress,
): { rounds: number; logOdds: Float64Array } {
  const expected = expectedLogOdds(later);
  const [train, test] = [dataOf(xgboost, earlier), dataOf(xgboost, later, expected)];
  const booster = xgboost.booster({ ...PARAMS, seed }, [train, test]);
  try {
    let predicted = predict(booster, test);
    const withoutTrees = { rounds: 0, loss: logLoss(predicted, later), predicted };
    let best = withoutTrees;
    for (let round = 0; round < MAX_ROUNDS && round - best.rounds < PATIENCE; round++) {
      booster.update(round, train);
      predicted = predict(booster, test);
      const loss = logLoss(predicted, later);
      if (loss < best.loss) best = { rounds: round + 1, loss, predicted };
      progress(round + 1, MAX_ROUNDS);
    }
    if (!isBeyondLuck(gainsByMonth(withoutTrees.predicted, best.predicted, later))) {
      best = withoutTrees;
    }
    const addedLogOdds = (p: number, row: number) => logit(p) - (expected[row] as number);
    return { rounds: best.rounds, logOdds: Float64Array.from(best.predicted, addedLogOdds) };
  } finally {
    freeAll(booster, train, test);
  }
}

/**
 * Trains `rounds` rounds of trees on the rows and applies them to other rows. The same rows and seed give the same
 * trees.
 */
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

/**
 * Converts rows to data of XGBoost. Each row starts from the log-odds of its month and effects, unless `margins` are
 * given.
 */
export function dataOf(
  xgboost: Xgboost,
  rows: Rows,
  margins: Float32Array = expectedLogOdds(rows),
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

/** Log-odds of each row: its effects plus the level of its month. */
function expectedLogOdds(rows: Rows): Float32Array {
  const levels = monthLevels(rows);
  return Float32Array.from(rows.effects, (effect, row) => effect + (levels[row] as number));
}

/** The largest float32 below 1. */
const ALMOST_CERTAIN = 1 - 2 ** -24;

/**
 * Predicts the probability of each row. In some months every flight was late. Probabilities are therefore kept below 1,
 * so that their log-odds are finite.
 */
function predict(booster: Booster, data: Data): Float32Array {
  return booster.predict(data).map((p) => Math.min(p, ALMOST_CERTAIN));
}

function logLoss(predicted: Float32Array, rows: Rows): number {
  return predicted.reduce((sum, p, row) => sum + lossOf(p, rows, row), 0);
}

/**
 * Returns, for each month, the log loss with the predictions `before` minus the log loss with the predictions `after`.
 */
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

/**
 * Factors of the standard error for one-sided 84.1 % confidence (Student's distribution). The index is the number of
 * months minus one. With few months the factor is larger, because the standard error itself is uncertain.
 */
const ERRORS = [Infinity, 1.84, 1.32, 1.2, 1.14];
const ERRORS_OF_MANY = 1.1;

/**
 * Whether the total gain exceeds its standard error. The standard error is estimated from the differences between
 * months, because the flights of a month share their conditions. One month alone is never enough.
 */
export function isBeyondLuck(gainsByMonth: number[]): boolean {
  const count = gainsByMonth.length;
  const sum = gainsByMonth.reduce((all, gain) => all + gain, 0);
  const squares = gainsByMonth.reduce((all, gain) => all + (gain - sum / count) ** 2, 0);
  const error = Math.sqrt((squares * count) / (count - 1));
  return count > 1 && sum > (ERRORS[count - 1] ?? ERRORS_OF_MANY) * error;
}
