import test from 'ava';
import type { OnnxAttribute } from '../../../models/onnx/encode.ts';
import { ModelFileError } from '../../../models/onnx/errors.ts';
import { treeSum } from '../../../models/onnx/trees.ts';

const INTS = {
  nodes_treeids: [0, 0, 0, 1],
  nodes_nodeids: [0, 1, 2, 0],
  nodes_truenodeids: [1, 0, 0, 0],
  nodes_falsenodeids: [2, 0, 0, 0],
  nodes_featureids: [1, 0, 0, 0],
  nodes_missing_value_tracks_true: [1, 0, 0, 0],
};
const FLOATS = {
  nodes_values: [5, 0, 0, 0],
  target_weights: [1, 2, 10],
  base_values: [100],
};

/** A tree with one split (second feature below 5), and a tree with a single leaf. */
function attributes(ints: object = {}, modes = ['BRANCH_LT', 'LEAF', 'LEAF', 'LEAF'], floats = {}) {
  const strings = modes.map((mode) => Buffer.from(mode));
  return [
    { name: 'nodes_modes', type: 8, strings },
    ...Object.entries({ ...INTS, ...ints }).map(([name, list]) => ({ name, type: 7, ints: list })),
    ...Object.entries({ ...FLOATS, ...floats }).map(([name, list]) => ({
      ...{ name, type: 6 },
      floats: list,
    })),
  ] as OnnxAttribute[];
}

test('the sum adds the leaf of each tree; a missing value takes the side that the node names', (t) => {
  const sum = treeSum(attributes(), 2);
  const rows = Float32Array.of(0, 4, 0, 5, 0, Number.NaN);
  t.deepEqual([sum(rows, 0), sum(rows, 2), sum(rows, 4)], [111, 112, 111]);
  const missingRight = treeSum(attributes({ nodes_missing_value_tracks_true: [0, 0, 0, 0] }), 2);
  t.is(missingRight(rows, 4), 112);
  const withoutBase = treeSum(attributes({}, undefined, { base_values: [] }), 2);
  t.is(withoutBase(rows, 0), 11);
});

const REFUSED: [why: RegExp, ints: object, modes?: string[] | undefined, floats?: object][] = [
  [/not in order/, { nodes_nodeids: [0, 2, 1, 0] }],
  [/unsupported mode BRANCH_GT/, {}, ['BRANCH_GT', 'LEAF', 'LEAF', 'LEAF']],
  [/do not form a tree/, { nodes_falsenodeids: [1, 0, 0, 0] }],
  [/do not form a tree/, { nodes_falsenodeids: [3, 0, 0, 0] }],
  [/a tree uses feature 2 of 2/, { nodes_featureids: [2, 0, 0, 0] }],
  [/^nodes_featureids has 3 values, expected 4$/, { nodes_featureids: [1, 0, 0] }],
  [/^target_weights has 2 values, expected 3$/, {}, undefined, { target_weights: [1, 2] }],
];

for (const [why, ints, modes, floats] of REFUSED) {
  test(`malformed trees are refused: ${why.source} ${JSON.stringify(ints)}`, (t) => {
    t.throws(() => treeSum(attributes(ints, modes, floats), 2), {
      instanceOf: ModelFileError,
      message: why,
    });
  });
}
