/** The thread in which ONNX Runtime runs one model. Only this file loads ONNX Runtime. */
// oxlint-disable-next-line import/no-unassigned-import -- ONNX Runtime reads the variable when it is imported below.
import './no-telemetry.ts';
import { workerData } from 'node:worker_threads';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { RuntimeInput } from '../onnx/runtime-spec.ts';
import { CLOSE, type ThreadAnswer, type ThreadData, type ThreadRequest } from './messages.ts';

/** Maximum number of rows in one call of ONNX Runtime. More rows would need more memory and would not be faster. */
const BATCH_ROWS = 4096;

/** Rounding may put a probability outside 0 to 1, at most this far. */
const TOLERANCE = 1e-6;

const { bytes, spec, width, port } = workerData as ThreadData;

/** The classes of ONNX Runtime that are used, and the loaded model. */
type Session = { session: InferenceSession; Tensor: typeof Tensor };

const opening = open();
// A failure to load the model is reported in the answer to the first rows.
opening.catch(() => undefined);

port.on('message', (request: ThreadRequest | typeof CLOSE) => {
  // When its port is closed, the thread has nothing to wait for and ends.
  if (request === CLOSE) port.close();
  else void answer(request);
});

async function open(): Promise<Session> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(bytes, {
    // Use one core only, because the other cores belong to the processes that answer requests.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  });
  return { session, Tensor };
}

async function answer({ id, rows, signal }: ThreadRequest): Promise<void> {
  const send = (message: ThreadAnswer) => port.postMessage(message);
  try {
    send({ id, probabilities: await predict(rows) });
  } catch (error) {
    send({ id, problem: error instanceof Error ? error.message : String(error) });
  }
  if (signal) {
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  }
}

async function predict(rows: Float32Array): Promise<Float32Array> {
  const session = await opening;
  const count = rows.length / width;
  const probabilities = new Float32Array(count);
  for (let from = 0; from < count; from += BATCH_ROWS) {
    const batch = rows.subarray(from * width, Math.min(count, from + BATCH_ROWS) * width);
    probabilities.set(await predictBatch(session, batch), from);
  }
  return probabilities;
}

async function predictBatch(
  { session, Tensor }: Session,
  rows: Float32Array,
): Promise<Float32Array> {
  const count = rows.length / width;
  const feeds = Object.fromEntries(
    spec.inputs.map((input) => {
      const { values, dims } = layOut(input, rows);
      const tensor =
        values instanceof Float32Array
          ? new Tensor('float32', values, dims)
          : new Tensor('float64', values, dims);
      return [input.name, tensor];
    }),
  );
  const { name, positive } = spec.output;
  const { [name]: output } = await session.run(feeds, [name]);
  const data = output?.data;
  if (!(data instanceof Float32Array) && !(data instanceof Float64Array)) {
    throw new TypeError(`output ${name} has type ${output?.type}, expected float32 or float64`);
  }
  const columns = data.length / count;
  if (columns !== 1 && columns !== 2) {
    throw new TypeError(`output ${name} has ${data.length} values for ${count} rows`);
  }
  return new Float32Array(count).map((_, row) =>
    toProbability(data[columns === 1 ? row : 2 * row + positive] as number),
  );
}

/** Copies the columns of an input from our rows. */
function layOut({ type, columns, isMatrix }: RuntimeInput, rows: Float32Array) {
  const count = rows.length / width;
  const length = count * columns.length;
  const values = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns.length; column++) {
      values[row * columns.length + column] = rows[
        row * width + (columns[column] as number)
      ] as number;
    }
  }
  const dims = isMatrix ? [count, columns.length] : [count];
  return { values, dims };
}

function toProbability(value: number): number {
  if (value >= -TOLERANCE && value <= 1 + TOLERANCE) return Math.min(1, Math.max(0, value));
  throw new RangeError(`predicts ${value}, which is not a probability`);
}
