import { FEATURES, MODEL_CONTRACT } from '../features.ts';
import { linear, sigmoid, sum, treeEnsemble, type TreeEnsemble } from '../onnx/blocks.ts';
import { treesOfXgboost } from '../onnx/convert.ts';
import { createGraph } from '../onnx/graph.ts';
import type { ModelMetadata } from '../onnx/metadata.ts';
import type { Fit } from './fit.ts';
import { isEffect } from './rows.ts';

/**
 * Builds the ONNX file of a fit. The model computes a probability from the sum of level, day, effects and trees in
 * log-odds.
 */
export function buildModelFile(
  fit: Fit,
  metadata: Omit<ModelMetadata, 'contract' | 'features'>,
): Uint8Array {
  const { trees, treeWeight, effectWeight, level } = fit;
  const dayWeights: Record<string, number> = fit.dayWeights;
  const graph = createGraph(FEATURES.length);
  const weights = FEATURES.map(({ name }) =>
    isEffect(name) ? effectWeight : (dayWeights[name] ?? 0),
  );
  const expected = linear(graph, { weights, intercept: level, fill: weights.map(() => 0) });
  const logOdds =
    trees === undefined
      ? expected
      : sum(graph, [expected, treeEnsemble(graph, scaleLeaves(trees, treeWeight))]);
  return graph.bytes(sigmoid(graph, logOdds), {
    ...MODEL_CONTRACT,
    ...metadata,
  });
}

/** Reads the trees and multiplies all leaves by the weight. */
function scaleLeaves(json: string, weight: number): TreeEnsemble {
  const { trees, base } = treesOfXgboost(json, FEATURES.length);
  return {
    base: weight * base,
    trees: trees.map((tree) => ({
      ...tree,
      value: tree.value.map((value, node) => (tree.left[node] === -1 ? weight * value : value)),
    })),
  };
}
