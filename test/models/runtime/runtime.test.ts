import { readFileSync } from 'node:fs';
import test from 'ava';
import { figuresOf } from '../../../models/evaluate/metrics.ts';
import { FEATURES } from '../../../models/features.ts';
import { inspectForeign, inspectModel } from '../../../models/onnx/inspect.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { sigmoid } from '../../../models/onnx/blocks.ts';
import { openBlocking, RuntimeFailedError, startRuntime } from '../../../models/runtime/runtime.ts';
import { BUNDLED_DIR } from '../../../pipelines/model/model-folder.ts';
import { describeDisagreement } from '../../../pipelines/model/reference-check.ts';
import {
  aForeignFile,
  anImportedFile,
  dependsOnHour,
  FOREIGN_MODELS,
  foreignFixture,
  readExpected,
} from '../helpers/foreign.ts';
import { CURRENT_CONTRACT } from '../helpers/model.ts';

const WIDTH = FEATURES.length;

test('the rows of the fixtures have our features in our order', (t) => {
  t.deepEqual(readExpected().features, CURRENT_CONTRACT.features);
});

for (const name of FOREIGN_MODELS) {
  test(`${name}: predictions and figures equal those of Python`, (t) => {
    const { matrix, flights, delayed, models } = readExpected();
    const expected = models[name];
    const model = openBlocking(anImportedFile(foreignFixture(name)), CURRENT_CONTRACT);
    t.teardown(model.close);
    const predictions = model.predict(matrix);
    const errors = [...predictions].map((p, row) =>
      Math.abs(p - (expected?.probabilities[row] ?? 9)),
    );
    t.true(Math.max(...errors) < 1e-6, `${Math.max(...errors)}`);
    const cases = [...predictions].map((p, row) => ({
      p,
      flights: flights[row] as number,
      delayed: delayed[row] as number,
    }));
    const figures = figuresOf(cases, 0.1);
    for (const key of ['logLoss', 'auc', 'brier'] as const) {
      t.true(
        Math.abs(figures[key] - (expected?.figures[key] ?? 9)) < 1e-5,
        `${key} ${figures[key]}`,
      );
    }
  });
}

test('the inputs of the files are one tensor for each feature, or a matrix with names', (t) => {
  const inputsOf = (name: (typeof FOREIGN_MODELS)[number]) =>
    inspectForeign(foreignFixture(name), CURRENT_CONTRACT).spec.inputs.length;
  t.deepEqual(FOREIGN_MODELS.map(inputsOf), [WIDTH, 1, 1]);
});

test('our evaluator and ONNX Runtime agree on the bundled model within 1e-6', (t) => {
  const bytes = readFileSync(`${BUNDLED_DIR}/model.onnx`);
  const reference = openBlocking(bytes, CURRENT_CONTRACT);
  t.teardown(reference.close);
  const { matrix } = readExpected();
  const columns = Object.fromEntries(
    FEATURES.map(({ name }, column) => [
      name,
      Float64Array.from(
        { length: matrix.length / WIDTH },
        (_, row) => matrix[row * WIDTH + column] as number,
      ),
    ]),
  );
  const training = {
    columns: { ...columns, flight_count: new Float64Array(matrix.length / WIDTH) },
  };
  const ours = openModel(bytes, CURRENT_CONTRACT);
  t.is(describeDisagreement(ours, reference, training), undefined);
  const shifted = { predict: (rows: Float32Array) => ours.predict(rows).map((p) => p + 2e-6) };
  t.regex(
    describeDisagreement(shifted, reference, training) ?? '',
    /^its probabilities differ from those of ONNX Runtime by up to 2\.\de-6 on 302 rows$/,
  );
  const withNaN = { predict: (rows: Float32Array) => ours.predict(rows).fill(Number.NaN, 0, 1) };
  t.not(describeDisagreement(withNaN, reference, training), undefined);
});

/** Starts the runtime of a file made elsewhere. */
function start(file: Uint8Array) {
  const bytes = anImportedFile(file);
  return startRuntime(bytes, inspectModel(bytes, CURRENT_CONTRACT).spec, WIDTH);
}

const zeros = () => new Float32Array(WIDTH);

test('a model that does not load, and one that gives no probability, fail without ending the thread', async (t) => {
  // Sigmoid has one input, so ONNX Runtime refuses this graph.
  const broken = start(
    aForeignFile((graph) => graph.node('Sigmoid', [dependsOnHour(graph), dependsOnHour(graph)])),
  );
  t.teardown(broken.close);
  const failure = await t.throwsAsync(broken.predict(zeros(), 10_000), {
    instanceOf: RuntimeFailedError,
  });
  t.true(failure?.isThreadUsable);
  t.regex(failure?.message ?? '', /Sigmoid/);

  // The logarithm of a negative number is NaN, and the logarithm of a large number is above 1.
  const logarithm = start(aForeignFile((graph) => graph.node('Log', [dependsOnHour(graph, 1)])));
  t.teardown(logarithm.close);
  const atHour = (hour: number) =>
    zeros().fill(
      hour,
      FEATURES.findIndex(({ name }) => name === 'dep_hour'),
      WIDTH - 1,
    );
  await t.throwsAsync(logarithm.predict(atHour(1), 10_000), { message: /predicts NaN/ });
  await t.throwsAsync(logarithm.predict(atHour(23), 10_000), { message: /predicts 3\.04/ });
  t.is((await logarithm.predict(atHour(3), 10_000))[0], 0);
});

test('a slow model fails at the deadline, and an ended thread fails at once', async (t) => {
  const slow = start(
    aForeignFile((graph) => {
      const side = 400;
      const up = graph.constant(new Float32Array(WIDTH * side).fill(1e-9), [WIDTH, side]);
      const square = graph.constant(new Float32Array(side * side).fill(1 / side), [side, side]);
      const down = graph.constant(new Float32Array(side).fill(1e-9), [side, 1]);
      let value = graph.node('MatMul', [graph.input, up]);
      for (let step = 0; step < 600; step++) value = graph.node('MatMul', [value, square]);
      return sigmoid(graph, graph.node('MatMul', [value, down]));
    }),
  );
  const rows = new Float32Array(100 * WIDTH);
  t.is((await slow.predict(zeros(), 30_000))[0], 0.5);
  const error = await t.throwsAsync(slow.predict(rows, 20), { instanceOf: RuntimeFailedError });
  t.is(error?.message, 'no answer within 20 ms');
  t.false(error?.isThreadUsable);
  await slow.close();
  await t.throwsAsync(slow.predict(zeros(), 20), { message: 'its thread was ended' });
});
