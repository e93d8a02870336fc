// oxlint-disable-next-line import/no-unassigned-import -- the runtime reads it when it is loaded, just below.
import './no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { linear, sigmoid } from '../../../models/onnx/blocks.ts';
import { decodeModel } from '../../../models/onnx/encode.ts';
import { evaluator } from '../../../models/onnx/evaluate.ts';
import { createGraph, INPUT, OUTPUT, type Graph, type Value } from '../../../models/onnx/graph.ts';
import type { Contract } from '../../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../../models/onnx/metadata.ts';
import { FEATURES, featureContract } from '../../../models/features.ts';

/** The features this code assembles. */
export const OURS: Contract = {
  contract: featureContract(),
  features: FEATURES.map(({ name }) => name),
};

/** What a model trained on a little history would say of itself. */
export function someMetadata(changes: Partial<ModelMetadata> = {}): ModelMetadata {
  return {
    ...OURS,
    features: [...OURS.features],
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

type Making = {
  featureCount?: number;
  metadata?: object;
  /** Probability as a function of the features; the same for every flight unless given. */
  build?: (graph: Graph) => Value;
  probability?: number;
};

/** The bytes of a small real model: our own writer, a logistic regression that looks at nothing. */
export function someModel({
  featureCount = OURS.features.length,
  metadata = someMetadata(),
  probability = 0.4,
  build = (graph) => sigmoid(graph, linear(graph, level(featureCount, probability))),
}: Making = {}): Uint8Array {
  const graph = createGraph(featureCount);
  return graph.bytes(build(graph), metadata);
}

function level(featureCount: number, probability: number) {
  const none = Array.from({ length: featureCount }, () => 0);
  return { weights: none, fill: none, intercept: Math.log(probability / (1 - probability)) };
}

/** Float32 has 24 bits; ONNX runtime rounds after each step, and not the same way in each number of rows. */
const RUNTIME_ERROR = 2e-6;

/** What a graph gives for the rows; throws where ONNX runtime does not say the same of its file. */
export async function answersOf(
  columns: number,
  rows: Float32Array,
  build: (graph: Graph) => Value,
): Promise<Float32Array> {
  const graph = createGraph(columns);
  const bytes = graph.bytes(build(graph), {});
  const answer = evaluator(decodeModel(bytes).graph, columns);
  const ours = new Float32Array(rows.length / columns).map((_, row) => answer(rows, row * columns));
  const theirs = await runtimeAnswers(bytes, columns, rows);
  for (const [row, own] of ours.entries()) {
    const off = Math.abs(own - (theirs[row] as number)) / Math.max(1, Math.abs(own));
    if (!(off <= RUNTIME_ERROR)) {
      throw new Error(`row ${row}: ${own}, and ${theirs[row]} by ONNX runtime`);
    }
  }
  return ours;
}

/** What ONNX runtime makes of the rows. */
async function runtimeAnswers(bytes: Uint8Array, columns: number, rows: Float32Array) {
  const session = await InferenceSession.create(bytes);
  const input = new Tensor('float32', rows, [rows.length / columns, columns]);
  const { [OUTPUT]: output } = await session.run({ [INPUT]: input });
  await session.release();
  return output?.data as Float32Array;
}
