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
import { CURRENT_CONTRACT, someMetadata, someModel } from '../helpers/model.ts';

const WIDTH = CURRENT_CONTRACT.features.length;

/** A model whose log-odds are the first feature. */
function firstFeature(): Uint8Array {
  const weights = CURRENT_CONTRACT.features.map((_, at) => (at === 0 ? 1 : 0));
  const fill = weights.map(() => 0);
  const build = (graph: Graph) => sigmoid(graph, linear(graph, { weights, fill, intercept: 0 }));
  return someModel({ build });
}

function aRow(first: number): Float32Array {
  return new Float32Array(WIDTH).fill(first, 0, 1);
}

function changeModel(change: (model: OnnxModel) => void): Uint8Array {
  const model = decodeModel(someModel());
  change(model);
  return encodeModel(model);
}

test('a model has its metadata and predicts each row', (t) => {
  const model = openModel(firstFeature(), CURRENT_CONTRACT);
  t.deepEqual(model.metadata, someMetadata());
  const [even = 0, likely = 0] = model.predict(Float32Array.of(...aRow(0), ...aRow(Math.log(3))));
  t.true(Math.abs(even - 0.5) < 1e-6 && Math.abs(likely - 0.75) < 1e-6);
});

test('rows predicted together get the same bits as rows predicted one by one', (t) => {
  const model = openModel(firstFeature(), CURRENT_CONTRACT);
  const rows = Array.from({ length: 1_300 }, (_, at) => aRow(at / 200 - 3));
  const predictions = model.predict(Float32Array.from(rows.flatMap((row) => [...row])));
  t.deepEqual(
    predictions,
    Float32Array.from(rows, (row) => model.predict(row)[0] ?? Number.NaN),
  );
  t.deepEqual(predictions, predictions.toSorted());
});

test('a row of another length is refused', (t) => {
  const model = openModel(firstFeature(), CURRENT_CONTRACT);
  t.throws(() => model.predict(new Float32Array(WIDTH + 1)), { instanceOf: RangeError });
});

test('a truncated file and a file of another kind are refused', (t) => {
  const bytes = someModel();
  for (const length of [0, 1, bytes.length >> 1, bytes.length - 1]) {
    t.throws(() => openModel(bytes.subarray(0, length), CURRENT_CONTRACT));
  }
  t.throws(() => openModel(bytes.subarray(0, bytes.length - 1), CURRENT_CONTRACT), {
    instanceOf: ModelFileError,
  });
  t.throws(() => openModel(Buffer.from('no model'), CURRENT_CONTRACT), {
    instanceOf: ModelFileError,
  });
});

test('operators and tensors that our models never use are refused', (t) => {
  const withLoop = changeModel(({ graph }) => {
    if (graph.node[0]) graph.node[0].opType = 'Loop';
  });
  t.throws(() => openModel(withLoop, CURRENT_CONTRACT), {
    instanceOf: ModelFileError,
    message: 'operator Loop is not supported',
  });
  const withExternalTensor = changeModel(({ graph }) => {
    if (graph.initializer[0]) graph.initializer[0].dataLocation = 1;
  });
  t.throws(() => openModel(withExternalTensor, CURRENT_CONTRACT), {
    message: /is stored in another file/,
  });
});

test('an unexpected input or output is refused', (t) => {
  t.throws(() => openModel(someModel({ featureCount: WIDTH + 1 }), CURRENT_CONTRACT), {
    instanceOf: ModelShapeError,
    message: `input is features float32 [N, ${WIDTH + 1}], expected features float32 [N, ${WIDTH}]`,
  });
  const withOtherOutput = changeModel(({ graph }) => {
    for (const output of graph.output) output.name = 'score';
  });
  t.throws(() => openModel(withOtherOutput, CURRENT_CONTRACT), {
    message: /output is score float32/,
  });
  const withMask = (graph: Graph) => graph.node('IsNaN', [graph.input]);
  t.throws(() => openModel(someModel({ build: withMask }), CURRENT_CONTRACT), {
    instanceOf: ModelFileError,
  });
  const withInputAsOutput = (graph: Graph) => graph.input;
  t.throws(() => openModel(someModel({ build: withInputAsOutput }), CURRENT_CONTRACT));
});

test('a model trained on other features is refused, and the message names them', (t) => {
  const metadata = someMetadata({ contract: 'c0ffee', features: ['month_odds', 'moon'] });
  t.throws(() => openModel(someModel({ metadata }), CURRENT_CONTRACT), {
    instanceOf: ModelContractError,
    message: /features only in the model: moon; features only in this code: .*weekday/,
  });
});

test('a model with incomplete metadata is refused', (t) => {
  const { outlook: _, ...metadata } = someMetadata();
  t.throws(() => openModel(someModel({ metadata }), CURRENT_CONTRACT), {
    instanceOf: ModelContractError,
    message: /outlook/,
  });
});

test('a model whose output is not a probability is refused', (t) => {
  const alwaysNaN = (graph: Graph) =>
    linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: Number.NaN });
  t.throws(() => openModel(someModel({ build: alwaysNaN }), CURRENT_CONTRACT), {
    instanceOf: ModelOutputError,
    message: 'predicts NaN, which is not a probability',
  });
  const tooLarge = (graph: Graph) =>
    linear(graph, { weights: [...aRow(0)], fill: [...aRow(0)], intercept: 1.2 });
  t.throws(() => openModel(someModel({ build: tooLarge }), CURRENT_CONTRACT), {
    instanceOf: ModelOutputError,
  });
});
