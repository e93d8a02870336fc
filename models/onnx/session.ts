import { setImmediate as nextTurn } from 'node:timers/promises';
// oxlint-disable-next-line import/no-unassigned-import -- the runtime reads it when it is loaded, just below.
import './no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { gathered, inBatches } from './batches.ts';
import { ModelAwayError, ModelFileError, ModelOutputError, ModelShapeError } from './errors.ts';
import { INPUT, OUTPUT } from './graph.ts';
import { inTime } from './in-time.ts';
import { inspectModel, type Contract } from './inspect.ts';
import type { ModelMetadata } from './metadata.ts';

/** A model that has passed every check, ready to answer. */
export type Model = {
  metadata: ModelMetadata;
  /**
   * P(delayed) for each of a few rows of features, which lie one after the other; NaN where a feature is missing. What
   * is asked for in the same turn of the event loop is answered by one run. Rejects with `ModelAwayError`.
   */
  predict: (rows: Float32Array) => Promise<Float32Array>;
  /** The same for any number of rows, run after run. */
  predictMany: (rows: Float32Array) => Promise<Float32Array>;
  /** Lets the model go; calls under way are answered, later ones rejected. */
  close: () => Promise<void>;
};

/** A run takes microseconds a row; one that takes this long will not come back. */
const RUN_MAX_MS = 1_000;

/**
 * Opens an ONNX file as a model for these features; throws a `ModelRefusedError` for any other file,
 * also for one that is damaged or answers with no probability.
 */
export async function openModel(bytes: Uint8Array, expected: Contract): Promise<Model> {
  const metadata = inspectModel(bytes, expected);
  const session = await createSession(bytes);
  const width = expected.features.length;
  try {
    await checkOutput(session, width);
  } catch (error) {
    await session.release();
    throw error;
  }
  return modelOn(session, metadata, width);
}

function modelOn(session: InferenceSession, metadata: ModelMetadata, width: number): Model {
  let isClosed = false;
  const underWay = new Set<Promise<Float32Array>>();
  const tracked = (work: Promise<Float32Array>): Promise<Float32Array> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const run = (rows: Float32Array) => inTime(runOnce(session, rows, width), RUN_MAX_MS);
  const gather = gathered((rows) => tracked(run(rows)), width);
  return {
    metadata,
    predict: (rows) => (isClosed ? Promise.reject(closedError()) : gather(rows)),
    predictMany: (rows) =>
      isClosed ? Promise.reject(closedError()) : tracked(inBatches(run, rows, width)),
    close: async () => {
      isClosed = true;
      // Rows gathered in this turn have their run at its end.
      await nextTurn();
      await Promise.allSettled(underWay);
      await session.release();
    },
  };
}

function closedError(): ModelAwayError {
  return new ModelAwayError('the model is closed');
}

async function createSession(bytes: Uint8Array): Promise<InferenceSession> {
  try {
    // A run is too short to share among threads, and the other cores have their own requests.
    return await InferenceSession.create(bytes, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw new ModelFileError('ONNX runtime refuses it', { cause });
  }
}

/** A row of zeros and one with nothing known must give probabilities. */
async function checkOutput(session: InferenceSession, width: number): Promise<void> {
  const probe = new Float32Array(2 * width).fill(Number.NaN, width);
  const answers = await runOnce(session, probe, width);
  const wrong = answers.find((answer) => !(answer >= 0 && answer <= 1));
  if (wrong !== undefined) throw new ModelOutputError(`answers ${wrong}, which is no probability`);
}

async function runOnce(
  session: InferenceSession,
  rows: Float32Array,
  width: number,
): Promise<Float32Array> {
  const count = rows.length / width;
  const results = await session
    .run({ [INPUT]: new Tensor('float32', rows, [count, width]) })
    .catch((cause: unknown) => {
      throw new ModelShapeError('cannot be run on a row of features', { cause });
    });
  const answers = results[OUTPUT]?.data;
  if (!(answers instanceof Float32Array) || answers.length !== count) {
    throw new ModelShapeError(`gives ${answers?.length} answers to ${count} rows`);
  }
  return answers;
}
