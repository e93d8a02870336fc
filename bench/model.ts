import { round } from '../warehouse/ground/numbers.ts';
import { linear, sigmoid, sum, treeEnsemble, type Tree } from '../models/onnx/blocks.ts';
import { createGraph } from '../models/onnx/graph.ts';
import type { ModelMetadata } from '../models/onnx/metadata.ts';
import { openModel, type Model } from '../models/onnx/model.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';

/**
 * A large model of the same kind as the published models. Its splits are random, so that the processor cannot predict
 * any branch.
 */
const FEATURES = 25;
const TREES = 300;
const DEPTH = 3;

const ROWS = 4_096;
const SINGLE_ROW_CALLS = 3_000;
const ROUNDS = 50;
const BATCHES = [1, 8, 32, 128, 512];

/** Number of rows in one call of the model when the API is busy. The target is set for this number. */
const BUSY_BATCH = 32;

/** Measures the model as the API calls it, with one row per hour of a flight. */
export async function benchModel(log: (line: string) => void): Promise<BenchResult> {
  const bytes = buildModelBytes();
  const model = openModel(bytes, CONTRACT);
  const rows = buildRows();
  log(`warming up a model of ${bytes.length} bytes`);
  measureCalls(model, rows, BUSY_BATCH, ROUNDS);
  const measured: { batch: number; callUs: number; rowUs: number }[] = [];
  for (const batch of BATCHES) {
    log(`${batch} rows per call`);
    const times = measureCalls(model, rows, batch, batch === 1 ? SINGLE_ROW_CALLS : ROUNDS);
    const callUs = 1_000 * median(times);
    measured.push({ batch, callUs, rowUs: callUs / batch });
  }
  const figureOf = (size: number) => measured.find(({ batch }) => batch === size);
  return {
    part: 'model',
    subject: `${TREES} trees of depth ${DEPTH} and a logistic regression over ${FEATURES} features, their sum; medians`,
    rows: measured.map(({ batch, callUs, rowUs }) => ({
      'rows per call': batch,
      'a call, µs': callUs.toFixed(1),
      'a row, µs': rowUs.toFixed(2),
    })),
    targets: [
      {
        name: 'a call with one row',
        measured: round(figureOf(1)?.callUs ?? Number.NaN, 1),
        atMost: 100,
        unit: 'µs',
      },
      {
        name: `a row, ${BUSY_BATCH} rows per call`,
        measured: round(figureOf(BUSY_BATCH)?.rowUs ?? Number.NaN, 1),
        atMost: 10,
        unit: 'µs',
      },
    ],
  };
}

/** Returns the milliseconds of each call with `batch` different rows. */
function measureCalls(model: Model, rows: Float32Array, batch: number, calls: number): number[] {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const from = (call * batch) % (ROWS - batch);
    const input = rows.subarray(from * FEATURES, (from + batch) * FEATURES);
    const startedAt = performance.now();
    model.predict(input);
    times.push(performance.now() - startedAt);
  }
  return times;
}

const CONTRACT = {
  contract: 'bench',
  features: Array.from({ length: FEATURES }, (_, at) => `feature_${at}`),
};

const METADATA: ModelMetadata = {
  ...CONTRACT,
  trainedOn: { months: [], rows: 0, dataSha256: '' },
  seed: 1,
  codeVersion: 'bench',
  metrics: {},
  outlook: {
    notLate: { under15: 1, from15to30: 0 },
    late: { from30to60: 1, from60to120: 0, over120: 0 },
  },
};

function buildModelBytes(): Uint8Array {
  const { next } = randomFrom('bench model');
  const weights = CONTRACT.features.map(() => next() - 0.5);
  const graph = createGraph(FEATURES);
  const trees = treeEnsemble(graph, {
    trees: Array.from({ length: TREES }, () => buildTree(next)),
    base: -1.5,
  });
  const logistic = linear(graph, { weights, intercept: -1.5, fill: weights.map(() => 0) });
  return graph.bytes(sigmoid(graph, sum(graph, [trees, logistic])), METADATA);
}

/** Builds a full tree; node n has the children 2n + 1 and 2n + 2. */
function buildTree(next: () => number): Tree {
  const splits = 2 ** DEPTH - 1;
  const nodes = Array.from({ length: 2 * splits + 1 }, (_, node) => node);
  return {
    left: nodes.map((node) => (node < splits ? 2 * node + 1 : -1)),
    right: nodes.map((node) => (node < splits ? 2 * node + 2 : -1)),
    feature: nodes.map(() => Math.floor(next() * FEATURES)),
    value: Float32Array.from(nodes, (node) => (node < splits ? next() : (next() - 0.5) / 50)),
    missingLeft: nodes.map(() => next() < 0.5),
  };
}

function buildRows(): Float32Array {
  const { next } = randomFrom('bench rows');
  return Float32Array.from({ length: ROWS * FEATURES }, () => (next() < 0.1 ? Number.NaN : next()));
}
