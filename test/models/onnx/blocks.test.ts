import test from 'ava';
import { linear, sigmoid, sum } from '../../../models/onnx/blocks.ts';
import { decodeModel } from '../../../models/onnx/encode.ts';
import { createGraph, type Graph, type Value } from '../../../models/onnx/graph.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { predictionsOf } from '../helpers/model.ts';

const MISSING = Number.NaN;

/** Output of the block for a single column. */
async function valuesOf(
  column: number[],
  block: (graph: Graph, value: Value) => Value,
): Promise<number[]> {
  const rows = Float32Array.from(column);
  const identity = (graph: Graph) => linear(graph, { weights: [1], intercept: 0, fill: [0] });
  return [...(await predictionsOf(1, rows, (graph) => block(graph, identity(graph))))].map(
    roundTo5,
  );
}

function roundTo5(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

test('a weighted sum replaces missing values by its fill', async (t) => {
  const rows = Float32Array.of(1, 10, 2, MISSING, MISSING, MISSING);
  const sums = await predictionsOf(2, rows, (graph) =>
    linear(graph, { weights: [2, 0.5], intercept: 1, fill: [3, -4] }),
  );
  t.deepEqual([...sums], [8, 3, 5]);
});

test('the sigmoid converts log-odds to a probability', async (t) => {
  t.deepEqual(
    await valuesOf([-2, 0, 3], sigmoid),
    [-2, 0, 3].map((x) => roundTo5(expit(x))),
  );
});

test('a sum adds all its values', async (t) => {
  t.deepEqual(
    await valuesOf([3, -1], (graph, value) => sum(graph, [value, value, value])),
    [9, -3],
  );
});

test('the same blocks give the same bytes, and decode to the same graph', (t) => {
  const bytes = () => {
    const graph = createGraph(2);
    const value = sigmoid(graph, linear(graph, { weights: [1, 2], intercept: 3, fill: [0, 0] }));
    return graph.bytes(value, { seed: 1 });
  };
  t.deepEqual(bytes(), bytes());
  const { graph, metadataProps } = decodeModel(bytes());
  t.deepEqual(
    graph.node.map(({ opType }) => opType),
    ['IsNaN', 'Where', 'MatMul', 'Add', 'Sigmoid', 'Identity'],
  );
  t.deepEqual(metadataProps, [{ key: 'headwind', value: '{"seed":1}' }]);
});
