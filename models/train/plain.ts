import { FEATURES } from '../features.ts';
import type { Fit } from './fit.ts';
import type { TrainingRows } from './rows.ts';
import { dataOf } from './trees.ts';
import type { Xgboost } from './xgboost.ts';

const ROUNDS = 100;

/** XGBoost as it comes (100 rounds of depth 6) on the same rows and features; what our fit is compared with. */
export function fitPlain(xgboost: Xgboost, rows: TrainingRows, seed: number): Fit {
  const data = dataOf(xgboost, rows, new Float32Array(rows.count));
  const booster = xgboost.booster(
    { objective: 'binary:logistic', tree_method: 'hist', nthread: 1, seed, verbosity: 0 },
    [data],
  );
  try {
    for (let round = 0; round < ROUNDS; round++) booster.update(round, data);
    const ridge = { weights: FEATURES.map(() => 0), intercept: 0 };
    // A slope of 2 undoes the mean with the empty regression.
    const dayWeights = { month_odds: 0, weekday_odds: 0, holiday_odds: 0 };
    return { ridge, trees: booster.save(), rounds: ROUNDS, slope: 2, level: 0, dayWeights };
  } finally {
    booster.free();
    data.free();
  }
}
