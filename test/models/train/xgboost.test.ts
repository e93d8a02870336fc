import test from 'ava';
import { openXgboost, XgboostError, XgboostMissingError } from '../../../models/train/xgboost.ts';
import { testWithXgboost } from '../helpers/test-with-xgboost.ts';
import { someRows, trainXgboost } from '../helpers/xgboost.ts';

testWithXgboost('a model learns which column its labels depend on', (t) => {
  const { predictions } = trainXgboost(someRows(2_000, 4, 'training'), {
    values: Float32Array.of(4, 0, 0, 0, -4, 0, 0, 0),
    columns: 4,
  });
  t.is(predictions.length, 2);
  t.true((predictions[0] ?? 0) > 0.9);
  t.true((predictions[1] ?? 1) < 0.1);
});

testWithXgboost('the same rows and seed give the same model', (t) => {
  const rows = someRows(500, 3, 'training');
  t.is(trainXgboost(rows, rows).json, trainXgboost(rows, rows).json);
});

testWithXgboost('a saved model is JSON that names its objective and its trees', (t) => {
  const rows = someRows(200, 3, 'training');
  const { learner } = JSON.parse(trainXgboost(rows, rows, { rounds: 4 }).json) as {
    learner: { objective: { name: string }; gradient_booster: { model: { trees: unknown[] } } };
  };
  t.is(learner.objective.name, 'binary:logistic');
  t.is(learner.gradient_booster.model.trees.length, 4);
});

testWithXgboost('rows with weight 0 are ignored in training', (t) => {
  const rows = someRows(1_000, 2, 'training');
  const halfWrong = {
    ...rows,
    labels: rows.labels.map((label, row) => (row < 500 ? label : 1 - label)),
  };
  const weights = Float32Array.from(rows.labels, (_, row) => (row < 500 ? 1 : 0));
  const probe = { values: Float32Array.of(4, 0), columns: 2 };
  t.true((trainXgboost({ ...halfWrong, weights }, probe).predictions[0] ?? 0) > 0.8);
});

testWithXgboost('a call that XGBoost refuses throws with XGBoost’s message', (t) => {
  const rows = someRows(50, 2, 'training');
  t.throws(() => trainXgboost(rows, rows, { max_depth: 'deep' }), {
    instanceOf: XgboostError,
    message: /max_depth/,
  });
});

testWithXgboost('the number of labels and values must match the rows', (t) => {
  const xgboost = openXgboost();
  t.throws(() => xgboost.data({ values: new Float32Array(5), columns: 2 }), {
    message: '5 values cannot be divided into rows of 2 columns',
  });
  const labels = new Float32Array(1);
  t.throws(() => xgboost.data({ values: new Float32Array(4), columns: 2, labels }), {
    message: '1 labels for 2 rows',
  });
});

test('without the library the error names what to install', (t) => {
  t.throws(() => openXgboost('libxgboost-none.so'), {
    instanceOf: XgboostMissingError,
    message: 'libxgboost-none.so is not installed: run make setup, or install libxgboost0',
  });
});
