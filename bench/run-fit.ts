/**
 * `node run-fit.ts whole|trees ROWS`: fits made-up rows and prints time and memory; generating the rows is not timed.
 */
import { fitModel } from '../models/train/fit.ts';
import { openXgboost } from '../models/train/xgboost.ts';
import { randomFrom } from './generate/random.ts';
import { measure } from './measured.ts';
import { COLUMNS, ROUNDS, WIDE_PARAMS } from './train.ts';
import { syntheticTrainingRows } from './training-rows.ts';

const [part, count] = process.argv.slice(2);
await (part === 'whole' ? fitWhole(Number(count)) : fitTrees(Number(count)));

async function fitWhole(count: number): Promise<void> {
  const rows = syntheticTrainingRows(count);
  await measure(async () => {
    fitModel(openXgboost(), rows, { seed: 1, calendarDays: 365 }, () => undefined);
  });
}

/** Fits only trees, with direct calls of the XGBoost library. */
async function fitTrees(count: number): Promise<void> {
  const { next } = randomFrom('bench matrix');
  const values = Float32Array.from({ length: count * COLUMNS }, () => next() - 0.5);
  const labels = Float32Array.from({ length: count }, (_, row) =>
    next() < 0.1 + 0.1 * (values[row * COLUMNS] ?? 0) ? 1 : 0,
  );
  await measure(async () => {
    const xgboost = openXgboost();
    const data = xgboost.data({ values, columns: COLUMNS, labels });
    const booster = xgboost.booster(WIDE_PARAMS, [data]);
    for (let round = 0; round < ROUNDS; round++) booster.update(round, data);
    booster.save();
    booster.free();
    data.free();
  });
}
