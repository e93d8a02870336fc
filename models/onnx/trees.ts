import type { OnnxAttribute } from './encode.ts';
import { ModelFileError } from './errors.ts';

/**
 * All trees, one entry per node. `children` has two entries per node: the child below the threshold, then the other
 * child. In a leaf, both entries are -1. `value` is the value of a leaf, or the threshold of a split. `missing` is the
 * child that a missing feature takes: 0 for the first, 1 for the second.
 */
type Nodes = {
  roots: Int32Array;
  feature: Uint8Array;
  value: Float32Array;
  children: Int32Array;
  missing: Uint8Array;
};

/**
 * Returns a function that sums the trees of a node written by `treeEnsemble`. Throws a `ModelFileError` for any other
 * node.
 */
export function treeSum(attributes: OnnxAttribute[], featureCount: number): RowValue {
  const byName = new Map(attributes.map((one) => [one.name, one]));
  const nodes = readNodes(byName);
  checkTrees(nodes, featureCount);
  const { roots, feature, value, children, missing } = nodes;
  const base = floatsOf(byName, 'base_values')[0] ?? 0;
  return (rows, from) => {
    let sum = base;
    for (let tree = 0; tree < roots.length; tree++) {
      let node = roots[tree] as number;
      while (children[2 * node] !== -1) {
        const featureValue = rows[from + (feature[node] as number)] as number;
        // The comparison gives a number instead of a branch: the processor could not predict the direction of a branch,
        // and a wrong prediction doubles the time.
        const isAbove = Number(featureValue >= (value[node] as number));
        const side = Number.isNaN(featureValue) ? (missing[node] as number) : isAbove;
        node = children[2 * node + side] as number;
      }
      sum += value[node] as number;
    }
    return sum;
  };
}

type AttributesByName = Map<string, OnnxAttribute>;

function readNodes(byName: AttributesByName): Nodes {
  const trees = intsOf(byName, 'nodes_treeids');
  const ids = intsOf(byName, 'nodes_nodeids');
  const count = trees.length;
  // Nodes of a tree are consecutive and numbered from the root, so a node's index is the root's index plus the node's
  // number.
  const starts = trees.map((tree, at) => (at === 0 || tree !== trees[at - 1] ? at : -1));
  let start = 0;
  const rootOf = starts.map((own) => (start = own === -1 ? start : own));
  if (ids.some((id, at) => id !== at - (rootOf[at] as number))) {
    throw new ModelFileError('the nodes of a tree are not in order');
  }
  const isLeaf = (byName.get('nodes_modes')?.strings ?? []).map((mode) => {
    const text = Buffer.from(mode).toString();
    if (text !== 'LEAF' && text !== 'BRANCH_LT') {
      throw new ModelFileError(`a node has the unsupported mode ${text}`);
    }
    return text === 'LEAF';
  });
  const belowIds = intsOf(byName, 'nodes_truenodeids', count);
  const aboveIds = intsOf(byName, 'nodes_falsenodeids', count);
  const childrenOf = (at: number) =>
    [belowIds[at], aboveIds[at]].map((id) =>
      isLeaf[at] ? -1 : (rootOf[at] as number) + (id as number),
    );
  const value = Float32Array.from(floatsOf(byName, 'nodes_values', count));
  const placesOfLeaves = isLeaf.flatMap((leaf, at) => (leaf ? [at] : []));
  const leafValues = floatsOf(byName, 'target_weights', placesOfLeaves.length);
  for (const [at, leaf] of placesOfLeaves.entries()) value[leaf] = leafValues[at] as number;
  return {
    roots: Int32Array.from(starts.filter((own) => own !== -1)),
    feature: Uint8Array.from(intsOf(byName, 'nodes_featureids', count)),
    value,
    children: Int32Array.from(ids.flatMap((_, at) => childrenOf(at))),
    missing: Uint8Array.from(intsOf(byName, 'nodes_missing_value_tracks_true', count), (isBelow) =>
      isBelow === 1 ? 0 : 1,
    ),
  };
}

/** Checks that each tree is a valid tree: no node has two parents or belongs to two trees, and every feature exists. */
function checkTrees({ roots, feature, children }: Nodes, featureCount: number): void {
  const isVisited = new Uint8Array(feature.length);
  for (const [tree, root] of roots.entries()) {
    const treeEnd = roots[tree + 1] ?? feature.length;
    const pending = [root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (!(node >= root && node < treeEnd) || isVisited[node] === 1) {
        throw new ModelFileError('the nodes do not form a tree');
      }
      isVisited[node] = 1;
      if ((feature[node] as number) >= featureCount) {
        throw new ModelFileError(`a tree uses feature ${feature[node]} of ${featureCount}`);
      }
      const leftChild = children[2 * node] as number;
      if (leftChild !== -1) pending.push(leftChild, children[2 * node + 1] as number);
    }
  }
}

function intsOf(byName: AttributesByName, name: string, count?: number): number[] {
  return checkLength(byName.get(name)?.ints ?? [], name, count);
}

function floatsOf(byName: AttributesByName, name: string, count?: number): number[] {
  return checkLength(byName.get(name)?.floats ?? [], name, count);
}

function checkLength(values: number[], name: string, count = values.length): number[] {
  if (values.length === count) return values;
  throw new ModelFileError(`${name} has ${values.length} values, expected ${count}`);
}

/** Computes a number from the row of features that starts at index `from`; NaN is a missing feature. */
export type RowValue = (rows: Float32Array, from: number) => number;
