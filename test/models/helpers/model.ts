// oxlint-disable-next-line import/no-unassigned-import -- onnxruntime reads the variable when it is imported below.
import '../../../models/runtime/no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { linear, sigmoid } from '../../../models/onnx/blocks.ts';
import { decodeModel } from '../../../models/onnx/encode.ts';
import { buildEvaluator } from '../../../models/onnx/evaluate.ts';
import { createGraph, INPUT, OUTPUT, type Graph, type Value } from '../../../models/onnx/graph.ts';
import type { Contract } from '../../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../../models/onnx/metadata.ts';
import { FEATURES, featureContract } from '../../../models/features.ts';

/** The contract (hash of the feature names) and the feature names that the present code expects of a model. */
export const CURRENT_CONTRACT: Contract = {
  contract: featureContract(),
  features: FEATURES.map(({ name }) => name),
};

/** Metadata of a model trained on a short history. */
export function someMetadata(changes: Partial<ModelMetadata> = {}): ModelMetadata {
  return {
    ...CURRENT_CONTRACT,
    features: [...CURRENT_CONTRACT.features],
    trainedOn: { months: ['2025-01', '2025-02'], rows: 1000, dataSha256: 'ab'.repeat(32) },
    seed: 1,
    codeVersion: '0.1.0',
    metrics: { auc: 0.66, brierSkill: 0.03 },
    outlook: {
      notLate: { under15: 0.9, from15to30: 0.1 },
      late: { from30to60: 0.5, from60to120: 0.3, over120: 0.2 },
    },
    ...changes,
  };
}

type ModelOptions = {
  featureCount?: number;
  metadata?: object;
  /** Computes the probability from the features; by default every flight gets the same one. */
  build?: (graph: Graph) => Value;
  probability?: number;
};

/** The bytes of a small real model: a logistic regression with zero weights, written by our writer. */
export function someModel({
  featureCount = CURRENT_CONTRACT.features.length,
  metadata = someMetadata(),
  probability = 0.4,
  build = (graph) => sigmoid(graph, linear(graph, constantLevel(featureCount, probability))),
}: ModelOptions = {}): Uint8Array {
  const graph = createGraph(featureCount);
  return graph.bytes(build(graph), metadata);
}

function constantLevel(featureCount: number, probability: number) {
  const zeros = Array.from({ length: featureCount }, () => 0);
  return { weights: zeros, fill: zeros, intercept: Math.log(probability / (1 - probability)) };
}

/** Float32 has 24 bits; ONNX runtime rounds after each step, in a way that depends on the number of rows. */
const RUNTIME_ERROR = 2e-6;

/** Runs a graph on the rows; throws when ONNX runtime's result for the same file differs. */
export async function predictionsOf(
  columns: number,
  rows: Float32Array,
  build: (graph: Graph) => Value,
): Promise<Float32Array> {
  const graph = createGraph(columns);
  const bytes = graph.bytes(build(graph), {});
  const predictRow = buildEvaluator(decodeModel(bytes).graph, columns);
  const ours = new Float32Array(rows.length / columns).map((_, row) =>
    predictRow(rows, row * columns),
  );
  const theirs = await runtimePredictions(bytes, columns, rows);
  for (const [row, own] of ours.entries()) {
    const relativeError = Math.abs(own - (theirs[row] as number)) / Math.max(1, Math.abs(own));
    if (!(relativeError <= RUNTIME_ERROR)) {
      throw new Error(`row ${row}: ours ${own}, ONNX runtime ${theirs[row]}`);
    }
  }
  return ours;
}

async function runtimePredictions(bytes: Uint8Array, columns: number, rows: Float32Array) {
  const session = await InferenceSession.create(bytes);
  const input = new Tensor('float32', rows, [rows.length / columns, columns]);
  const { [OUTPUT]: output } = await session.run({ [INPUT]: input });
  await session.release();
  return output?.data as Float32Array;
}
