import { randomFrom } from '../../../bench/generate/random.ts';
import { FEATURES } from '../../../models/features.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import { openModel } from '../../../models/onnx/model.ts';
import type { Fit } from '../../../models/train/fit.ts';
import { buildModelFile } from '../../../models/train/model-file.ts';
import { CURRENT_CONTRACT, someMetadata } from '../helpers/model.ts';
import { testWithXgboost as test } from '../helpers/test-with-xgboost.ts';
import { someRows, trainXgboost } from '../helpers/xgboost.ts';

const WIDTH = FEATURES.length;

const FIT: Omit<Fit, 'trees'> = {
  level: -2,
  effectWeight: 0.9,
  treeWeight: 0.45,
  dayWeights: { month_odds: 1, weekday_odds: 0.5, holiday_odds: 0.25, weather_odds: 0.75 },
};

/** Log-odds of the fit without its trees; a missing value adds nothing. */
function withoutTrees(row: Float32Array): number {
  const { level, effectWeight, dayWeights } = FIT;
  return FEATURES.reduce((sum, { name }, at) => {
    const days: Record<string, number> = dayWeights;
    const weight = name.endsWith('_effect') ? effectWeight : (days[name] ?? 0);
    return sum + weight * (row[at] || 0);
  }, level);
}

test('a file predicts the sum of level, effects, day and trees, on 10,000 rows with gaps', (t) => {
  const matrix = someRows(2000, WIDTH, 'model file');
  const next = randomFrom('rows of the model file').next;
  const values = Float32Array.from({ length: 10_000 * WIDTH }, () =>
    next() < 1 / 6 ? Number.NaN : next() - 0.5,
  );
  const { json, predictions } = trainXgboost(matrix, { values, columns: WIDTH });
  const model = openModel(
    buildModelFile({ ...FIT, trees: json }, someMetadata()),
    CURRENT_CONTRACT,
  );
  const answers = model.predict(values);
  const worst = answers.reduce((most, answer, row) => {
    const linearPart = withoutTrees(values.subarray(row * WIDTH, (row + 1) * WIDTH));
    const expected = expit(linearPart + FIT.treeWeight * logit(predictions[row] as number));
    return Math.max(most, Math.abs(answer - expected));
  }, 0);
  t.is(answers.length, 10_000);
  t.true(worst <= 1e-5, `differs by ${worst}`);
});
