import { sum } from '../../../warehouse/ground/numbers.ts';
import type { Lineage, LineageNode } from '../../../warehouse/live/lineage.ts';

export type UnplacedNode = Omit<LineageNode, 'x' | 'y'>;

const NODE_WIDTH = 184;
const NODE_HEIGHT = 20;
const LAYER_GAP = 28;
const ROW_GAP = 8;
/** Number of sweeps over the layers. More sweeps hardly change the order. */
const SWEEPS = 6;

/**
 * Places each node one layer to the right of the rightmost node that it reads. Within a layer, nodes are sorted by the
 * mean place of the nodes that they are connected to. This avoids most crossings of lines.
 */
export function layOutLineage(nodes: readonly UnplacedNode[]): Lineage {
  const layers = sortLayers(toLayers(nodes));
  const height =
    Math.max(0, ...layers.map((layer) => layer.length)) * (NODE_HEIGHT + ROW_GAP) - ROW_GAP;
  const placed = layers.flatMap((layer, column) => {
    const top = (height - layer.length * (NODE_HEIGHT + ROW_GAP) + ROW_GAP) / 2;
    return layer.map((node, row) => ({
      ...node,
      x: column * (NODE_WIDTH + LAYER_GAP),
      y: Math.round(top + row * (NODE_HEIGHT + ROW_GAP)),
    }));
  });
  const byName = new Map(placed.map((node) => [node.name, node]));
  return {
    nodes: placed,
    edges: placed.flatMap((to) =>
      to.reads.flatMap((name) => {
        const from = byName.get(name);
        return from ? [{ from: name, to: to.name, path: curve(from, to) }] : [];
      }),
    ),
    width: layers.length * (NODE_WIDTH + LAYER_GAP) - LAYER_GAP,
    height,
    nodeWidth: NODE_WIDTH,
    nodeHeight: NODE_HEIGHT,
  };
}

function toLayers(nodes: readonly UnplacedNode[]): UnplacedNode[][] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const depths = new Map<string, number>();
  const depthOf = (node: UnplacedNode): number => {
    const known = depths.get(node.name);
    if (known !== undefined) return known;
    // The depth is set before the recursion. Otherwise, the recursion would not end for models that read each other in
    // a circle.
    depths.set(node.name, 0);
    const inputs = node.reads.flatMap((name) => byName.get(name) ?? []);
    const depth = Math.max(0, ...inputs.map((input) => depthOf(input) + 1));
    depths.set(node.name, depth);
    return depth;
  };
  const groups = Map.groupBy(nodes, depthOf);
  return [...groups.keys()].toSorted((a, b) => a - b).map((depth) => groups.get(depth) ?? []);
}

function sortLayers(unsorted: UnplacedNode[][]): UnplacedNode[][] {
  let layers = unsorted;
  const neighbours = new Map<string, string[]>();
  const connect = (a: string, b: string) => neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
  for (const { name, reads } of layers.flat()) {
    for (const read of reads) {
      connect(name, read);
      connect(read, name);
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    // The place of a node is its position in its layer: near 0 at the top, near 1 at the bottom. Row numbers would not
    // be comparable, because layers have different numbers of nodes.
    const places = new Map(
      layers.flatMap((layer) => layer.map(({ name }, row) => [name, (row + 0.5) / layer.length])),
    );
    const meanPlace = ({ name }: UnplacedNode) => {
      const known = (neighbours.get(name) ?? []).flatMap((other) => places.get(other) ?? []);
      return known.length === 0 ? (places.get(name) ?? 0) : sum(known) / known.length;
    };
    layers = layers.map((layer) => layer.toSorted((a, b) => meanPlace(a) - meanPlace(b)));
  }
  return layers;
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x1, y1] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2];
  const [x2, y2] = [to.x, to.y + NODE_HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
}
