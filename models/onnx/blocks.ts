import { ML_DOMAIN, type Graph, type Value } from './graph.ts';

/** Decision trees whose leaves add up. */
export type TreeEnsemble = {
  trees: Tree[];
  /** Added to the sum of the leaves. */
  base: number;
};

/** Arrays of equal length, one entry per node. Node 0 is the root; a node without a left child is a leaf. */
export type Tree = {
  /**
   * For each node, its child for features below the threshold; -1 in a leaf. Feature and threshold are compared as
   * float32.
   */
  left: number[];
  right: number[];
  feature: number[];
  /** Threshold of a split, or value of a leaf. */
  value: Float32Array;
  /** Whether a missing feature takes the left child. */
  missingLeft: boolean[];
};

/** Adds nodes to the graph that compute the sum of the trees for each row. */
export function treeEnsemble(graph: Graph, { trees, base }: TreeEnsemble): Value {
  const nodes = trees.flatMap((tree, treeId) =>
    tree.left.map((left, nodeId) => ({
      treeId,
      nodeId,
      isLeaf: left === -1,
      left,
      right: tree.right[nodeId] ?? -1,
      feature: tree.feature[nodeId] ?? 0,
      value: tree.value[nodeId] ?? 0,
      missingLeft: tree.missingLeft[nodeId] ?? false,
    })),
  );
  const leaves = nodes.filter(({ isLeaf }) => isLeaf);
  const attributes = {
    n_targets: 1,
    base_values: Float32Array.of(base),
    nodes_treeids: nodes.map(({ treeId }) => treeId),
    nodes_nodeids: nodes.map(({ nodeId }) => nodeId),
    nodes_featureids: nodes.map(({ isLeaf, feature }) => (isLeaf ? 0 : feature)),
    nodes_modes: nodes.map(({ isLeaf }) => (isLeaf ? 'LEAF' : 'BRANCH_LT')),
    nodes_values: Float32Array.from(nodes, ({ isLeaf, value }) => (isLeaf ? 0 : value)),
    nodes_truenodeids: nodes.map(({ isLeaf, left }) => (isLeaf ? 0 : left)),
    nodes_falsenodeids: nodes.map(({ isLeaf, right }) => (isLeaf ? 0 : right)),
    nodes_missing_value_tracks_true: nodes.map(({ isLeaf, missingLeft }) =>
      !isLeaf && missingLeft ? 1 : 0,
    ),
    target_treeids: leaves.map(({ treeId }) => treeId),
    target_nodeids: leaves.map(({ nodeId }) => nodeId),
    target_ids: leaves.map(() => 0),
    target_weights: Float32Array.from(leaves, ({ value }) => value),
  };
  return graph.node('TreeEnsembleRegressor', [graph.input], attributes, ML_DOMAIN);
}

/** A weighted sum of the features; a missing feature is replaced by its `fill`. */
export type Linear = { weights: number[]; intercept: number; fill: number[] };

/** Adds nodes to the graph that compute the weighted sum for each row; in a logistic model this is the log-odds. */
export function linear(graph: Graph, { weights, intercept, fill }: Linear): Value {
  const isMissing = graph.node('IsNaN', [graph.input]);
  const imputedRows = graph.node('Where', [
    isMissing,
    graph.constant(fill, [1, graph.featureCount]),
    graph.input,
  ]);
  const sum = graph.node('MatMul', [imputedRows, graph.constant(weights, [graph.featureCount, 1])]);
  return graph.node('Add', [sum, graph.constant([intercept], [1])]);
}

/** Adds a node that converts log-odds to a probability. */
export function sigmoid(graph: Graph, logOdds: Value): Value {
  return graph.node('Sigmoid', [logOdds]);
}

/** Adds nodes that compute the sum of the values. */
export function sum(graph: Graph, [first, ...rest]: [Value, ...Value[]]): Value {
  return rest.reduce((total, value) => graph.node('Add', [total, value]), first);
}
