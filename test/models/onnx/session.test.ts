import test from 'ava';
import { linear, sigmoid } from '../../../models/onnx/blocks.ts';
import {
  ModelAwayError,
  ModelContractError,
  ModelFileError,
  ModelOutputError,
  ModelShapeError,
} from '../../../models/onnx/errors.ts';
import { decodeModel, encodeModel, type OnnxModel } from '../../../models/onnx/encode.ts';
import type { Graph } from '../../../models/onnx/graph.ts';
import { openModel } from '../../../models/onnx/session.ts';
import { OURS, someMetadata, someModel } from '../helpers/model.ts';

const WIDTH = OURS.features.length;

/** A model whose log-odds are the first feature. */
function firstFeature(): Uint8Array {
  const weights = OURS.features.map((_, at) => (at === 0 ? 1 : 0));
  const fill = weights.map(() => 0);
  const build = (graph: Graph) => sigmoid(graph, linear(graph, { weights, fill, intercept: 0 }));
  return someModel({ build });
}

function aRow(first: number): Float32Array {
  return new Float32Array(WIDTH).fill(first, 0, 1);
}

function changed(change: (model: OnnxModel) => void): Uint8Array {
  const model = decodeModel(someModel());
  change(model);
  return encodeModel(model);
}

test('a model says what it was made from, and answers each row', async (t) => {
  const model = await openModel(firstFeature(), OURS);
  t.deepEqual(model.metadata, someMetadata());
  const [even = 0, likely = 0] = await model.predict(
    Float32Array.of(...aRow(0), ...aRow(Math.log(3))),
  );
  t.true(Math.abs(even - 0.5) < 1e-6 && Math.abs(likely - 0.75) < 1e-6);
  await model.close();
});

test('rows asked for together each get their own answer, as they would alone', async (t) => {
  const model = await openModel(firstFeature(), OURS);
  const rows = Array.from({ length: 1_300 }, (_, at) => aRow(at / 200 - 3));
  const asked = await Promise.all(rows.map((row) => model.predict(row)));
  const together = asked.flatMap((answer) => [...answer]);
  const many = await model.predictMany(Float32Array.from(rows.flatMap((row) => [...row])));
  t.deepEqual(together, [...many]);
  t.is(together[1_000], (await model.predict(rows[1_000] ?? aRow(0)))[0]);
  t.deepEqual(
    together,
    together.toSorted((a, b) => a - b),
  );
  await model.close();
});

test('a row of another length is refused without harm to the others', async (t) => {
  const model = await openModel(firstFeature(), OURS);
  const good = model.predict(aRow(0));
  await t.throwsAsync(model.predict(new Float32Array(WIDTH + 1)), { instanceOf: RangeError });
  t.deepEqual(await good, Float32Array.of(0.5));
  await model.close();
});

test('closing lets calls under way finish and rejects later ones', async (t) => {
  const model = await openModel(firstFeature(), OURS);
  const gathered = model.predict(aRow(0));
  const underWay = model.predictMany(new Float32Array(1_300 * WIDTH));
  const closed = model.close();
  t.deepEqual(await gathered, Float32Array.of(0.5));
  t.true((await underWay).every((answer) => answer === 0.5));
  await closed;
  await t.throwsAsync(model.predict(aRow(0)), { instanceOf: ModelAwayError });
});

test('a file cut short anywhere, or no model at all, is refused', async (t) => {
  const bytes = someModel();
  for (const length of [0, 1, bytes.length >> 1, bytes.length - 1]) {
    await t.throwsAsync(openModel(bytes.subarray(0, length), OURS));
  }
  await t.throwsAsync(openModel(bytes.subarray(0, bytes.length - 1), OURS), {
    instanceOf: ModelFileError,
  });
  await t.throwsAsync(openModel(Buffer.from('no model'), OURS), { instanceOf: ModelFileError });
});

test('operators and tensors that ours never use are refused', async (t) => {
  const looping = changed(({ graph }) => {
    if (graph.node[0]) graph.node[0].opType = 'Loop';
  });
  await t.throwsAsync(openModel(looping, OURS), {
    instanceOf: ModelFileError,
    message: 'operator Loop is none of ours',
  });
  const elsewhere = changed(({ graph }) => {
    if (graph.initializer[0]) graph.initializer[0].dataLocation = 1;
  });
  await t.throwsAsync(openModel(elsewhere, OURS), { message: /is kept in another file/ });
});

test('another input or output than agreed is refused', async (t) => {
  await t.throwsAsync(openModel(someModel({ featureCount: WIDTH + 1 }), OURS), {
    instanceOf: ModelShapeError,
    message: `input is features float32 [N, ${WIDTH + 1}], not features float32 [N, ${WIDTH}]`,
  });
  const renamed = changed(({ graph }) => {
    for (const output of graph.output) output.name = 'score';
  });
  await t.throwsAsync(openModel(renamed, OURS), { message: /output is score float32/ });
  const wide = (graph: Graph) => graph.node('IsNaN', [graph.input]);
  await t.throwsAsync(openModel(someModel({ build: wide }), OURS), { instanceOf: ModelFileError });
  const lying = (graph: Graph) => graph.input;
  await t.throwsAsync(openModel(someModel({ build: lying }), OURS));
});

test('a model trained on other features is refused, and the message names them', async (t) => {
  const metadata = someMetadata({ contract: 'c0ffee', features: ['month_odds', 'moon'] });
  await t.throwsAsync(openModel(someModel({ metadata }), OURS), {
    instanceOf: ModelContractError,
    message: /no longer known: moon; new: .*weekday/,
  });
});

test('a model that does not say what it was trained on is refused', async (t) => {
  const { outlook: _, ...metadata } = someMetadata();
  await t.throwsAsync(openModel(someModel({ metadata }), OURS), {
    instanceOf: ModelContractError,
    message: /outlook/,
  });
});

test('a model whose answer is no probability is refused', async (t) => {
  const nothing = (graph: Graph) =>
    graph.node('Mul', [
      linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: 1 }),
      graph.constant([Number.NaN], [1]),
    ]);
  await t.throwsAsync(openModel(someModel({ build: nothing }), OURS), {
    instanceOf: ModelOutputError,
    message: 'answers NaN, which is no probability',
  });
  const large = (graph: Graph) =>
    linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: 1.2 });
  await t.throwsAsync(openModel(someModel({ build: large }), OURS), {
    instanceOf: ModelOutputError,
  });
  const spreadsNaN = (graph: Graph) =>
    sigmoid(graph, graph.node('MatMul', [graph.input, graph.constant(aRow(1), [WIDTH, 1])]));
  await t.throwsAsync(openModel(someModel({ build: spreadsNaN }), OURS), {
    instanceOf: ModelOutputError,
  });
});
