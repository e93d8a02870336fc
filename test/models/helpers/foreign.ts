import { readFileSync } from 'node:fs';
import { linear, sigmoid } from '../../../models/onnx/blocks.ts';
import { decodeModel, encodeModel, type OnnxModel } from '../../../models/onnx/encode.ts';
import { createGraph, type Graph, type Value } from '../../../models/onnx/graph.ts';
import { inspectForeign } from '../../../models/onnx/inspect.ts';
import { FEATURES } from '../../../models/features.ts';
import { CURRENT_CONTRACT, someMetadata } from './model.ts';

const FOLDER = new URL('../../fixtures/imported-models/', import.meta.url);

/** The models that Python made. */
export const FOREIGN_MODELS = ['xgboost', 'gradient-boosting', 'network'] as const;

/** Reads an ONNX file that Python made. */
export function foreignFixture(name: (typeof FOREIGN_MODELS)[number]): Uint8Array {
  return readFileSync(new URL(`${name}.onnx`, FOLDER));
}

type Figures = { logLoss: number; auc: number; brier: number };

/** Test rows of New York 2017, and what Python computed for them. */
export type Expected = {
  features: string[];
  rows: (number | null)[][];
  flights: number[];
  delayed: number[];
  models: Record<string, { probabilities: number[]; figures: Figures }>;
};

/** Reads the rows, and the predictions and figures of Python. */
export function readExpected(): Expected & { matrix: Float32Array } {
  const expected = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8')) as Expected;
  const matrix = Float32Array.from(expected.rows.flat().map((value) => value ?? Number.NaN));
  return { ...expected, matrix };
}

/**
 * Creates a model file as other tools write it. The input of its graph is one matrix of all our features. The metadata
 * has the names of the features.
 */
export function aForeignFile(
  build: (graph: Graph) => Value = (graph) => sigmoid(graph, dependsOnHour(graph)),
  change: (model: OnnxModel) => OnnxModel = (model) => model,
): Uint8Array {
  const graph = createGraph(FEATURES.length);
  const model = decodeModel(graph.bytes(build(graph), {}));
  const names = FEATURES.map(({ name }) => name);
  return encodeModel(
    change({ ...model, metadataProps: [{ key: 'feature_names', value: names.join(',') }] }),
  );
}

/** Log-odds that rise with the hour of departure. */
export function dependsOnHour(graph: Graph, weight = 0.1): Value {
  const weights = FEATURES.map(({ name }) => (name === 'dep_hour' ? weight : 0));
  return linear(graph, { weights, intercept: -2, fill: weights.map(() => 0) });
}

/** Returns a model file from another tool in the form that an import gives it. */
export function anImportedFile(file: Uint8Array = aForeignFile()): Uint8Array {
  const { wrap, inputs } = inspectForeign(file, CURRENT_CONTRACT);
  const imported = { file: 'model.onnx', sha256: 'ab'.repeat(32), inputs };
  return wrap(someMetadata({ imported }));
}
