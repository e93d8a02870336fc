import test from 'ava';
import { linear, sigmoid } from '../../../models/onnx/blocks.ts';
import {
  ModelContractError,
  ModelFileError,
  ModelOutputError,
  ModelShapeError,
} from '../../../models/onnx/errors.ts';
import { decodeModel, encodeModel, type OnnxModel } from '../../../models/onnx/encode.ts';
import type { Graph } from '../../../models/onnx/graph.ts';
import { openModel } from '../../../models/onnx/model.ts';
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

test('a model says what it was made from, and answers each row', (t) => {
  const model = openModel(firstFeature(), OURS);
  t.deepEqual(model.metadata, someMetadata());
  const [even = 0, likely = 0] = model.predict(Float32Array.of(...aRow(0), ...aRow(Math.log(3))));
  t.true(Math.abs(even - 0.5) < 1e-6 && Math.abs(likely - 0.75) < 1e-6);
});

test('rows asked for together each get the answer they would get alone, to the bit', (t) => {
  const model = openModel(firstFeature(), OURS);
  const rows = Array.from({ length: 1_300 }, (_, at) => aRow(at / 200 - 3));
  const together = model.predict(Float32Array.from(rows.flatMap((row) => [...row])));
  t.deepEqual(
    together,
    Float32Array.from(rows, (row) => model.predict(row)[0] ?? Number.NaN),
  );
  t.deepEqual(together, together.toSorted());
});

test('a row of another length is refused', (t) => {
  const model = openModel(firstFeature(), OURS);
  t.throws(() => model.predict(new Float32Array(WIDTH + 1)), { instanceOf: RangeError });
});

test('a file cut short anywhere, or no model at all, is refused', (t) => {
  const bytes = someModel();
  for (const length of [0, 1, bytes.length >> 1, bytes.length - 1]) {
    t.throws(() => openModel(bytes.subarray(0, length), OURS));
  }
  t.throws(() => openModel(bytes.subarray(0, bytes.length - 1), OURS), {
    instanceOf: ModelFileError,
  });
  t.throws(() => openModel(Buffer.from('no model'), OURS), { instanceOf: ModelFileError });
});

test('operators and tensors that ours never use are refused', (t) => {
  const looping = changed(({ graph }) => {
    if (graph.node[0]) graph.node[0].opType = 'Loop';
  });
  t.throws(() => openModel(looping, OURS), {
    instanceOf: ModelFileError,
    message: 'operator Loop is none of ours',
  });
  const elsewhere = changed(({ graph }) => {
    if (graph.initializer[0]) graph.initializer[0].dataLocation = 1;
  });
  t.throws(() => openModel(elsewhere, OURS), { message: /is kept in another file/ });
});

test('another input or output than agreed is refused', (t) => {
  t.throws(() => openModel(someModel({ featureCount: WIDTH + 1 }), OURS), {
    instanceOf: ModelShapeError,
    message: `input is features float32 [N, ${WIDTH + 1}], not features float32 [N, ${WIDTH}]`,
  });
  const renamed = changed(({ graph }) => {
    for (const output of graph.output) output.name = 'score';
  });
  t.throws(() => openModel(renamed, OURS), { message: /output is score float32/ });
  const wide = (graph: Graph) => graph.node('IsNaN', [graph.input]);
  t.throws(() => openModel(someModel({ build: wide }), OURS), { instanceOf: ModelFileError });
  const lying = (graph: Graph) => graph.input;
  t.throws(() => openModel(someModel({ build: lying }), OURS));
});

test('a model trained on other features is refused, and the message names them', (t) => {
  const metadata = someMetadata({ contract: 'c0ffee', features: ['month_odds', 'moon'] });
  t.throws(() => openModel(someModel({ metadata }), OURS), {
    instanceOf: ModelContractError,
    message: /no longer known: moon; new: .*weekday/,
  });
});

test('a model that does not say what it was trained on is refused', (t) => {
  const { outlook: _, ...metadata } = someMetadata();
  t.throws(() => openModel(someModel({ metadata }), OURS), {
    instanceOf: ModelContractError,
    message: /outlook/,
  });
});

test('a model whose answer is no probability is refused', (t) => {
  const nothing = (graph: Graph) =>
    linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: Number.NaN });
  t.throws(() => openModel(someModel({ build: nothing }), OURS), {
    instanceOf: ModelOutputError,
    message: 'answers NaN, which is no probability',
  });
  const large = (graph: Graph) =>
    linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: 1.2 });
  t.throws(() => openModel(someModel({ build: large }), OURS), {
    instanceOf: ModelOutputError,
  });
});
