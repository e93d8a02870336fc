import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import {
  createModelService,
  type ImportedState,
  type ModelService,
  type ModelServiceOptions,
} from './model-service.ts';

/** Probabilities by row. The key of a row comes from `keyOf`. */
export type Predictions = Map<string, number>;

export type ImportedModel = Pick<ModelService, 'probe' | 'close'> & {
  metadata: ModelMetadata;
  state: Readonly<ImportedState>;
  /** Counts an answer that our own model computed because the imported model could not. */
  countFallback: () => void;
  /** Returns the cached probability of a row. */
  recall: (key: string) => number | undefined;
  /** Predicts rows, in one batch with rows of other requests. Rejects if the model fails or exceeds the deadline. */
  predict: (rows: Map<string, Float32Array>) => Promise<Predictions>;
};

/** Maximum number of cached predictions. Each prediction takes about 200 bytes. */
const MAX_PREDICTIONS = 50_000;

/** Returns the bytes of a row as a text. Equal rows have equal keys. */
export function keyOf(row: Float32Array): string {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('latin1');
}

/** Opens an imported model. `width` is the number of features per row. */
export function openImportedModel(
  metadata: ModelMetadata,
  width: number,
  options: Omit<ModelServiceOptions, 'probeRows'>,
): ImportedModel {
  // Two test rows: one of zeros, one of missing values.
  const probeRows = new Float32Array(2 * width).fill(Number.NaN, width);
  const { state, run, probe, close } = createModelService({ ...options, probeRows });
  const predictions: Predictions = new Map();
  const predictBatch = createBatches(width, run);
  return {
    metadata,
    state,
    probe,
    close,
    countFallback: () => {
      state.fallbackAnswers += 1;
    },
    recall: (key) => predictions.get(key),
    predict: async (rows) => {
      const probabilities = await predictBatch([...rows.values()]);
      if (predictions.size + rows.size > MAX_PREDICTIONS) predictions.clear();
      const own = new Map([...rows.keys()].map((key, at) => [key, probabilities[at] as number]));
      for (const [key, probability] of own) predictions.set(key, probability);
      return own;
    },
  };
}

type Waiting = {
  rows: Float32Array[];
  resolve: (probabilities: Float32Array) => void;
  reject: (error: unknown) => void;
};

/**
 * Combines rows of several requests into batches. A batch contains the rows that arrive in the same turn of the event
 * loop, or all rows that arrive while the model is busy.
 */
function createBatches(
  width: number,
  predict: (rows: Float32Array) => Promise<Float32Array>,
): (rows: Float32Array[]) => Promise<Float32Array> {
  let waiting: Waiting[] = [];
  let isBusy = false;
  const runBatch = async (batch: Waiting[]) => {
    try {
      const rows = batch.flatMap((one) => one.rows);
      const joined = new Float32Array(rows.length * width);
      for (const [at, row] of rows.entries()) joined.set(row, at * width);
      const probabilities = await predict(joined);
      let from = 0;
      for (const one of batch) {
        one.resolve(probabilities.subarray(from, from + one.rows.length));
        from += one.rows.length;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const flush = async () => {
    if (isBusy) return;
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await runBatch(batch);
    }
    isBusy = false;
  };
  return (rows) =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      setImmediate(() => void flush());
    });
}
