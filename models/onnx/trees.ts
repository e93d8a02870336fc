import type { OnnxAttribute } from './encode.ts';
import { ModelFileError } from './errors.ts';
import type { RowValue } from './row-value.ts';

/**
 * Trees one after the other, a place for each node. `left` is that of the child below the threshold, -1 in a leaf, whose
 * `value` is what it adds; everywhere else `value` is the threshold.
 */
type Nodes = {
  roots: Int32Array;
  feature: Uint8Array;
  value: Float32Array;
  left: Int32Array;
  right: Int32Array;
  missingLeft: Uint8Array;
};

/** The sum of the trees of a node as `treeEnsemble` writes it; refuses any other with a `ModelFileError`. */
export function treeSum(attributes: OnnxAttribute[], featureCount: number): RowValue {
  const read = new Map(attributes.map((one) => [one.name, one]));
  const nodes = readNodes(read);
  checkTrees(nodes, featureCount);
  const { roots, feature, value, left, right, missingLeft } = nodes;
  const base = floatsOf(read, 'base_values')[0] ?? 0;
  return (rows, from) => {
    let sum = base;
    for (let tree = 0; tree < roots.length; tree++) {
      let node = roots[tree] as number;
      for (let below = left[node] as number; below !== -1; below = left[node] as number) {
        const given = rows[from + (feature[node] as number)] as number;
        // Not a number is above no threshold and below none.
        const isLeft = given < (value[node] as number);
        const isMissing = given !== given && missingLeft[node] === 1;
        node = isLeft || isMissing ? below : (right[node] as number);
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
  const child = (name: string) => {
    const places = intsOf(read, name, count);
    return Int32Array.from(places, (id, at) => (isLeaf[at] ? -1 : (rootOf[at] as number) + id));
  };
  const value = Float32Array.from(floatsOf(read, 'nodes_values', count));
  const placesOfLeaves = isLeaf.flatMap((leaf, at) => (leaf ? [at] : []));
  const added = floatsOf(read, 'target_weights', placesOfLeaves.length);
  for (const [at, leaf] of placesOfLeaves.entries()) value[leaf] = added[at] as number;
  return {
    roots: Int32Array.from(starts.filter((own) => own !== -1)),
    feature: Uint8Array.from(intsOf(read, 'nodes_featureids', count)),
    value,
    left: child('nodes_truenodeids'),
    right: child('nodes_falsenodeids'),
    missingLeft: Uint8Array.from(intsOf(read, 'nodes_missing_value_tracks_true', count)),
  };
}

/** From each root every way ends: no node has two parents, none lies in another tree, and features are those of a row. */
function checkTrees({ roots, feature, left, right }: Nodes, featureCount: number): void {
  const seen = new Uint8Array(left.length);
  for (const [tree, root] of roots.entries()) {
    const until = roots[tree + 1] ?? left.length;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!(node >= root && node < until) || seen[node] === 1) {
        throw new ModelFileError('a tree is none');
      }
      seen[node] = 1;
      if ((feature[node] as number) >= featureCount) {
        throw new ModelFileError(`a tree asks for feature ${feature[node]}`);
      }
      if (left[node] !== -1) open.push(left[node] as number, right[node] as number);
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
