import type { OnnxAttribute } from './encode.ts';
import { ModelFileError } from './errors.ts';
import type { RowValue } from './row-value.ts';

/**
 * Trees one after the other, a place for each node. `children` are two places for each: of the child below the threshold and
 * of the other, both -1 in a leaf, whose `value` is what it adds; everywhere else `value` is the threshold. `missing` is
 * which of the two takes what is missing.
 */
type Nodes = {
  roots: Int32Array;
  feature: Uint8Array;
  value: Float32Array;
  children: Int32Array;
  missing: Uint8Array;
};

/** The sum of the trees of a node as `treeEnsemble` writes it; refuses any other with a `ModelFileError`. */
export function treeSum(attributes: OnnxAttribute[], featureCount: number): RowValue {
  const read = new Map(attributes.map((one) => [one.name, one]));
  const nodes = readNodes(read);
  checkTrees(nodes, featureCount);
  const { roots, feature, value, children, missing } = nodes;
  const base = floatsOf(read, 'base_values')[0] ?? 0;
  return (rows, from) => {
    let sum = base;
    for (let tree = 0; tree < roots.length; tree++) {
      let node = roots[tree] as number;
      while (children[2 * node] !== -1) {
        const given = rows[from + (feature[node] as number)] as number;
        // Computed, as nobody can guess which way a row goes: a processor that guesses wrong takes twice the time.
        const isAbove = Number(given >= (value[node] as number));
        const way = Number.isNaN(given) ? (missing[node] as number) : isAbove;
        node = children[2 * node + way] as number;
      }
      sum += value[node] as number;
    }
    return sum;
  };
}

type Read = Map<string, OnnxAttribute>;

function readNodes(read: Read): Nodes {
  const trees = intsOf(read, 'nodes_treeids');
  const ids = intsOf(read, 'nodes_nodeids');
  const count = trees.length;
  // Nodes of a tree lie together and are numbered from its root on, so a place is the root's and the number.
  const starts = trees.map((tree, at) => (at === 0 || tree !== trees[at - 1] ? at : -1));
  let start = 0;
  const rootOf = starts.map((own) => (start = own === -1 ? start : own));
  if (ids.some((id, at) => id !== at - (rootOf[at] as number))) {
    throw new ModelFileError('nodes of trees are not in order');
  }
  const isLeaf = (read.get('nodes_modes')?.strings ?? []).map((mode) => {
    const text = Buffer.from(mode).toString();
    if (text !== 'LEAF' && text !== 'BRANCH_LT') throw new ModelFileError(`a node is ${text}`);
    return text === 'LEAF';
  });
  const below = intsOf(read, 'nodes_truenodeids', count);
  const above = intsOf(read, 'nodes_falsenodeids', count);
  const childrenOf = (at: number) =>
    [below[at], above[at]].map((id) => (isLeaf[at] ? -1 : (rootOf[at] as number) + (id as number)));
  const value = Float32Array.from(floatsOf(read, 'nodes_values', count));
  const placesOfLeaves = isLeaf.flatMap((leaf, at) => (leaf ? [at] : []));
  const added = floatsOf(read, 'target_weights', placesOfLeaves.length);
  for (const [at, leaf] of placesOfLeaves.entries()) value[leaf] = added[at] as number;
  return {
    roots: Int32Array.from(starts.filter((own) => own !== -1)),
    feature: Uint8Array.from(intsOf(read, 'nodes_featureids', count)),
    value,
    children: Int32Array.from(ids.flatMap((_, at) => childrenOf(at))),
    missing: Uint8Array.from(intsOf(read, 'nodes_missing_value_tracks_true', count), (isBelow) =>
      isBelow === 1 ? 0 : 1,
    ),
  };
}

/** From each root every way ends: no node has two parents, none lies in another tree, and features are those of a row. */
function checkTrees({ roots, feature, children }: Nodes, featureCount: number): void {
  const seen = new Uint8Array(feature.length);
  for (const [tree, root] of roots.entries()) {
    const until = roots[tree + 1] ?? feature.length;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!(node >= root && node < until) || seen[node] === 1) {
        throw new ModelFileError('a tree is none');
      }
      seen[node] = 1;
      if ((feature[node] as number) >= featureCount) {
        throw new ModelFileError(`a tree asks for feature ${feature[node]}`);
      }
      const below = children[2 * node] as number;
      if (below !== -1) open.push(below, children[2 * node + 1] as number);
    }
  }
}

function intsOf(read: Read, name: string, count?: number): number[] {
  return checked(read.get(name)?.ints ?? [], name, count);
}

function floatsOf(read: Read, name: string, count?: number): number[] {
  return checked(read.get(name)?.floats ?? [], name, count);
}

function checked(values: number[], name: string, count = values.length): number[] {
  if (values.length === count) return values;
  throw new ModelFileError(`${values.length} ${name} for ${count} nodes`);
}
