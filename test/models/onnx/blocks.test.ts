import test from 'ava';
import {
  clip,
  linear,
  logOdds,
  mean,
  piecewiseLinear,
  platt,
  sigmoid,
} from '../../../models/onnx/blocks.ts';
import { decodeModel } from '../../../models/onnx/encode.ts';
import { createGraph, type Graph, type Value } from '../../../models/onnx/graph.ts';
import { expit, logit } from '../../../models/log-odds.ts';
import { probabilities } from '../helpers/model.ts';

const NONE = Number.NaN;

/** What the block makes of a single column. */
async function of(
  column: number[],
  block: (graph: Graph, value: Value) => Value,
): Promise<number[]> {
  const rows = Float32Array.from(column);
  return [...(await probabilities(1, rows, (graph) => block(graph, graph.input)))].map(rounded);
}

function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

test('a weighted sum puts its fill in place of what is missing', async (t) => {
  const rows = Float32Array.of(1, 10, 2, NONE, NONE, NONE);
  const sums = await probabilities(2, rows, (graph) =>
    linear(graph, { weights: [2, 0.5], intercept: 1, fill: [3, -4] }),
  );
  t.deepEqual([...sums], [8, 3, 5]);
});

test('the sigmoid and the log-odds undo each other, and log-odds stay finite', async (t) => {
  t.deepEqual(
    await of([-2, 0, 3], sigmoid),
    [-2, 0, 3].map((x) => rounded(expit(x))),
  );
  t.deepEqual(
    await of([0.1, 0.5], logOdds),
    [0.1, 0.5].map((p) => rounded(logit(p))),
  );
  const [lowest = NONE, highest = NONE] = await of([0, 1], logOdds);
  t.true(lowest < -13 && lowest > -15);
  t.true(highest > 13 && highest < 15);
});

test('a mean takes equal shares, or those it is given', async (t) => {
  const halves = (graph: Graph, value: Value) => mean(graph, [value, clip(graph, value)]);
  t.deepEqual(await of([3, -1], halves), [2, -0.5]);
  const shares = (graph: Graph, value: Value) =>
    mean(graph, [value, clip(graph, value)], [0.2, 0.8]);
  t.deepEqual(await of([3], shares), [1.4]);
});

test("Platt's calibration scales and shifts the log-odds", async (t) => {
  const calibrated = await of([2], (graph, value) =>
    platt(graph, value, { slope: 0.5, intercept: -1 }),
  );
  t.deepEqual(calibrated, [0.5]);
});

test('a curve goes through its points, straight between them and level outside', async (t) => {
  const points = [
    { x: 0.1, y: 0.05 },
    { x: 0.2, y: 0.25 },
    { x: 0.6, y: 0.25 },
    { x: 0.8, y: 0.65 },
  ];
  t.deepEqual(
    await of([0, 0.1, 0.15, 0.2, 0.4, 0.7, 0.8, 1], (graph, value) =>
      piecewiseLinear(graph, value, points),
    ),
    [0.05, 0.05, 0.15, 0.25, 0.25, 0.45, 0.65, 0.65],
  );
  t.deepEqual(
    await of([0, 1], (graph, value) => piecewiseLinear(graph, value, [{ x: 0.5, y: 0.3 }])),
    [0.3, 0.3],
  );
});

test('a curve without points, or one that turns back, is refused', (t) => {
  const graph = createGraph(1);
  t.throws(() => piecewiseLinear(graph, graph.input, []), { instanceOf: RangeError });
  const twice = [
    { x: 0.1, y: 0 },
    { x: 0.1, y: 1 },
  ];
  t.throws(() => piecewiseLinear(graph, graph.input, twice), { instanceOf: RangeError });
});

test('the same blocks give the same bytes, which read back as what was written', (t) => {
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
