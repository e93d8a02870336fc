import { featureContract, FEATURES } from '../features.ts';
import { linear, mean, sigmoid, treeEnsemble, type TreeEnsemble } from '../onnx/blocks.ts';
import { treesOfXgboost } from '../onnx/convert.ts';
import { createGraph } from '../onnx/graph.ts';
import type { ModelMetadata } from '../onnx/metadata.ts';
import type { Fit } from './fit.ts';

/**
 * The fit as one ONNX graph: probability of level + what shifts the day + slope x (ridge + trees) / 2, all in log-odds.
 * A graph averages its two parts, so the first holds the level and the day twice.
 */
export function modelFile(
  fit: Fit,
  metadata: Omit<ModelMetadata, 'contract' | 'features'>,
): Uint8Array {
  const { ridge, slope, level } = fit;
  const dayWeights: Record<string, number> = fit.dayWeights;
  const graph = createGraph(FEATURES.length);
  const weights = ridge.weights.map(
    (weight, at) => slope * weight + 2 * (dayWeights[FEATURES[at]?.name ?? ''] ?? 0),
  );
  const first = linear(graph, {
    weights,
    intercept: slope * ridge.intercept + 2 * level,
    fill: weights.map(() => 0),
  });
  const second = treeEnsemble(graph, scaled(treesOfXgboost(fit.trees, FEATURES.length), slope));
  const features = FEATURES.map(({ name }) => name);
  const probability = sigmoid(graph, mean(graph, [first, second]));
  return graph.bytes(probability, { contract: featureContract(), features, ...metadata });
}

/** Trees whose leaves add `slope` times as much. */
function scaled({ trees, base }: TreeEnsemble, slope: number): TreeEnsemble {
  return {
    base: slope * base,
    trees: trees.map((tree) => ({
      ...tree,
      value: tree.value.map((value, node) => (tree.left[node] === -1 ? slope * value : value)),
    })),
  };
}
