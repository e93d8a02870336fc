import { round } from '../warehouse/ground/round.ts';
import { linear, sigmoid, sum, treeEnsemble, type Tree } from '../models/onnx/blocks.ts';
import { createGraph } from '../models/onnx/graph.ts';
import type { ModelMetadata } from '../models/onnx/metadata.ts';
import { openModel, type Model } from '../models/onnx/model.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';

/** A model of the kind that ships, on the large side. Splits are at random, so that no branch can be foreseen. */
const FEATURES = 25;
const TREES = 300;
const DEPTH = 3;

const ROWS = 4_096;
const CALLS_ALONE = 3_000;
const ROUNDS = 50;
const BATCHES = [1, 8, 32, 128, 512];

/** Rows together as they come from a busy API; the target is set at this size. */
const BUSY = 32;

/** Calls the model as the API does: a row for each hour of a flight. */
export async function benchModel(log: (line: string) => void): Promise<BenchResult> {
  const bytes = someModelBytes();
  const model = openModel(bytes, CONTRACT);
  const rows = someRows();
  log(`warming up a model of ${bytes.length} bytes`);
  callsOf(model, rows, BUSY, ROUNDS);
  const measured: { batch: number; callUs: number; rowUs: number }[] = [];
  for (const batch of BATCHES) {
    log(`${batch} rows together`);
    const times = callsOf(model, rows, batch, batch === 1 ? CALLS_ALONE : ROUNDS);
    const callUs = 1_000 * median(times);
    measured.push({ batch, callUs, rowUs: callUs / batch });
  }
  const figureOf = (batch: number) => measured.find((one) => one.batch === batch);
  return {
    part: 'model',
    subject: `${TREES} trees of depth ${DEPTH} and a logistic regression over ${FEATURES} features, their sum; medians`,
    rows: measured.map(({ batch, callUs, rowUs }) => ({
      'rows together': batch,
      'call, µs': callUs.toFixed(1),
      'a row, µs': rowUs.toFixed(2),
    })),
    targets: [
      {
        name: 'a call alone',
        measured: round(figureOf(1)?.callUs ?? Number.NaN, 1),
        atMost: 100,
        unit: 'µs',
      },
      {
        name: `a row, ${BUSY} together`,
        measured: round(figureOf(BUSY)?.rowUs ?? Number.NaN, 1),
        atMost: 10,
        unit: 'µs',
      },
    ],
  };
}

/** Milliseconds of each call for `batch` rows, as different from each other as they come. */
function callsOf(model: Model, rows: Float32Array, batch: number, calls: number): number[] {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const from = (call * batch) % (ROWS - batch);
    const asked = rows.subarray(from * FEATURES, (from + batch) * FEATURES);
    const startedAt = performance.now();
    model.predict(asked);
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

function someModelBytes(): Uint8Array {
  const { next } = randomFrom('bench model');
  const weights = CONTRACT.features.map(() => next() - 0.5);
  const graph = createGraph(FEATURES);
  const trees = treeEnsemble(graph, {
    trees: Array.from({ length: TREES }, () => aTree(next)),
    base: -1.5,
  });
  const logistic = linear(graph, { weights, intercept: -1.5, fill: weights.map(() => 0) });
  return graph.bytes(sigmoid(graph, sum(graph, [trees, logistic])), METADATA);
}

/** A full tree; node n has the children 2n + 1 and 2n + 2. */
function aTree(next: () => number): Tree {
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

function someRows(): Float32Array {
  const { next } = randomFrom('bench rows');
  return Float32Array.from({ length: ROWS * FEATURES }, () => (next() < 0.1 ? Number.NaN : next()));
}
