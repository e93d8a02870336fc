import test from 'ava';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { sigmoid, treeEnsemble } from '../../../models/onnx/blocks.ts';
import { treesOfXgboost, UnsupportedModelError } from '../../../models/onnx/convert.ts';
import type { Params } from '../../../models/train/xgboost.ts';
import { predictionsOf } from '../helpers/model.ts';
import { testWithXgboost } from '../helpers/test-with-xgboost.ts';
import { someRows, trainXgboost } from '../helpers/xgboost.ts';

const COLUMNS = 8;

const KINDS: Record<string, Params> = {
  'deep trees': { max_depth: 7, rounds: 60 },
  'pruned trees of the exact method': { tree_method: 'exact', gamma: 2, max_depth: 6 },
  'monotone stumps around another base': {
    max_depth: 1,
    base_score: 0.17,
    monotone_constraints: '(1,-1,0,0,0,0,0,0)',
  },
  'trees grown leaf by leaf on part of the rows': {
    grow_policy: 'lossguide',
    max_leaves: 12,
    max_depth: 0,
    subsample: 0.5,
    colsample_bytree: 0.5,
  },
};

for (const [kind, params] of Object.entries(KINDS)) {
  testWithXgboost(`${kind} predict the same as XGBoost on 10,000 rows with gaps`, async (t) => {
    const probe = someRows(10_000, COLUMNS, 'probe');
    const { json, predictions } = trainXgboost(someRows(3_000, COLUMNS, 'training'), probe, params);
    const ours = await predictionsOf(COLUMNS, probe.values, (graph) =>
      sigmoid(graph, treeEnsemble(graph, treesOfXgboost(json, COLUMNS))),
    );
    t.is(predictions.length, 10_000);
    t.true(new Set(predictions).size > 2);
    const worst = Math.max(...ours.map((ours, row) => Math.abs(ours - (predictions[row] ?? 2))));
    t.true(worst <= 1e-5, `differs by ${worst}`);
  });
}

testWithXgboost('a row exactly on a threshold takes the same side as in XGBoost', async (t) => {
  const whole = someRows(2_000, COLUMNS, 'training');
  const { json } = trainXgboost(whole, whole);
  const thresholds = treesOfXgboost(json, COLUMNS).trees.flatMap(({ value }) => [...value]);
  const values = Float32Array.from(
    { length: 2_000 * COLUMNS },
    (_, at) => thresholds[(at * 7) % thresholds.length] ?? 0,
  );
  const { predictions } = trainXgboost(whole, { values, columns: COLUMNS });
  const ours = await predictionsOf(COLUMNS, values, (graph) =>
    sigmoid(graph, treeEnsemble(graph, treesOfXgboost(json, COLUMNS))),
  );
  t.true(ours.every((ours, row) => Math.abs(ours - (predictions[row] ?? 2)) <= 1e-5));
});

/** One split: below 2 to the left, missing to the right. */
function aModel(changes: { objective?: string; booster?: string; categories?: number[] } = {}) {
  const tree = {
    left_children: [1, -1, -1],
    right_children: [2, -1, -1],
    split_indices: [1, 0, 0],
    split_conditions: [2, -1.5, 0.5],
    default_left: [0, 0, 0],
    categories_nodes: changes.categories ?? [],
  };
  return JSON.stringify({
    learner: {
      learner_model_param: { base_score: '2.5E-1', num_feature: '2' },
      objective: { name: changes.objective ?? 'binary:logistic' },
      gradient_booster: { name: changes.booster ?? 'gbtree', model: { trees: [tree] } },
    },
  });
}

test('a value below the threshold goes left, any other value right, and a missing value where the tree says', async (t) => {
  const rows = Float32Array.of(0, 1.999, 0, 2, 0, 3, 0, Number.NaN);
  const ours = await predictionsOf(2, rows, (graph) =>
    treeEnsemble(graph, treesOfXgboost(aModel(), 2)),
  );
  const base = logit(0.25);
  const expected = [base - 1.5, base + 0.5, base + 0.5, base + 0.5];
  t.true(ours.every((sum, row) => Math.abs(sum - (expected[row] ?? 0)) < 1e-6));
});

test('unsupported models and another number of features are refused', (t) => {
  for (const changes of [{ objective: 'rank:ndcg' }, { booster: 'dart' }, { categories: [0] }]) {
    t.throws(() => treesOfXgboost(aModel(changes), 2), { instanceOf: UnsupportedModelError });
  }
  t.throws(() => treesOfXgboost(aModel(), 3), { message: 'the model has 2 features, expected 3' });
});

testWithXgboost(
  'the first rounds alone predict the same as XGBoost after these rounds',
  async (t) => {
    const rows = someRows(1_000, COLUMNS, 'training');
    const early = trainXgboost(rows, rows, { rounds: 5 });
    const late = trainXgboost(rows, rows, { rounds: 20 });
    const ours = await predictionsOf(COLUMNS, rows.values, (graph) =>
      sigmoid(graph, treeEnsemble(graph, treesOfXgboost(late.json, COLUMNS, 5))),
    );
    t.true(ours.every((ours, row) => Math.abs(ours - (early.predictions[row] ?? 2)) <= 1e-5));
  },
);
