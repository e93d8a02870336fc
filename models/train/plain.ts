import type { Fit } from './fit.ts';
import type { TrainingRows } from './rows.ts';
import { dataOf } from './trees.ts';
import type { Xgboost } from './xgboost.ts';

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
