import { randomFrom } from '../../../bench/generate/random.ts';
import {
  openXgboost,
  type Matrix,
  type Params,
  type Xgboost,
} from '../../../models/train/xgboost.ts';

/** Rows whose label depends on the first two columns; about one value in six is missing. */
export function someRows(
  rows: number,
  columns: number,
  seed: string,
): Required<Omit<Matrix, 'weights' | 'margins'>> {
  const random = randomFrom(seed).next;
  const values = new Float32Array(rows * columns);
  const labels = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      values[row * columns + column] = random() < 1 / 6 ? Number.NaN : random() * 10 - 5;
    }
    const lean = (values[row * columns] || 0) - 0.5 * (values[row * columns + 1] || 0);
    labels[row] = random() < 1 / (1 + Math.exp(-lean)) ? 1 : 0;
  }
  return { values, columns, labels };
}

/** Trains a model on the rows; returns XGBoost's JSON and its predictions for `probe`. */
export function trainXgboost(
  matrix: Matrix,
  probe: Matrix,
  { rounds = 30, ...params }: Params & { rounds?: number } = {},
  xgboost: Xgboost = openXgboost(),
): { json: string; predictions: Float32Array } {
  const [data, probeData] = [xgboost.data(matrix), xgboost.data(probe)];
  const booster = xgboost.booster({ ...SMALL, ...params }, [data, probeData]);
  try {
    for (let round = 0; round < rounds; round++) booster.update(round, data);
    return { json: booster.save(), predictions: booster.predict(probeData) };
  } finally {
    for (const part of [booster, probeData, data]) part.free();
  }
}

const SMALL: Params = {
  objective: 'binary:logistic',
  tree_method: 'hist',
  max_depth: 5,
  eta: 0.3,
  nthread: 1,
  seed: 1,
};
