import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, SHARE_ENV, Worker } from 'node:worker_threads';
import { inspectModel, type Contract } from '../onnx/inspect.ts';
import { ModelOutputError } from '../onnx/errors.ts';
import type { Model } from '../onnx/model.ts';
import type { RuntimeSpec } from '../onnx/runtime-spec.ts';
import { CLOSE, type ThreadAnswer, type ThreadData, type ThreadRequest } from './messages.ts';

/** The model gave no probabilities: it threw, crashed or was too slow, or its output is not a probability. */
export class RuntimeFailedError extends ModelOutputError {
  override readonly name = 'RuntimeFailedError';
  /** Whether the thread can still predict other rows. */
  readonly isThreadUsable: boolean;

  constructor(problem: string, isThreadUsable: boolean) {
    super(problem);
    this.isThreadUsable = isThreadUsable;
  }
}

/** A model that runs in ONNX Runtime, in its own thread. */
export type Runtime = {
  /**
   * Returns the probability of each row. Rejects with a `RuntimeFailedError` if the model fails or the deadline passes.
   * After a missed deadline the thread may still be busy, so the runtime must be closed.
   */
  predict: (rows: Float32Array, deadlineMs: number) => Promise<Float32Array>;
  /**
   * Requests the thread to end, and waits for two seconds at most. A busy thread ends after its current call: ending a
   * thread by force during a call would abort the whole process.
   */
  close: () => Promise<void>;
};

/** The two ends of a call of `predict`. */
type Waiting = {
  finish: (probabilities: Float32Array) => void;
  fail: (error: RuntimeFailedError) => void;
};

const CLOSE_PATIENCE_MS = 2_000;

const THREAD = new URL('thread.ts', import.meta.url);

/** Starts a thread for the model. Loading the model is part of the first prediction. */
export function startRuntime(bytes: Uint8Array, spec: RuntimeSpec, width: number): Runtime {
  const { worker, port } = startThread({ bytes, spec, width });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: string | undefined;
  const end = (problem: string) => {
    ended ??= problem;
    for (const { fail } of waiting.values()) fail(new RuntimeFailedError(problem, false));
  };
  port.on('message', ({ id, probabilities, problem }: ThreadAnswer) => {
    if (probabilities) waiting.get(id)?.finish(probabilities);
    else waiting.get(id)?.fail(new RuntimeFailedError(problem, true));
  });
  worker.on('error', (error) => end(`its thread crashed: ${error.message}`));
  worker.on('exit', (code) => end(`its thread ended with code ${code}`));
  worker.unref();
  port.unref();
  return {
    predict: (rows, deadlineMs) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) throw new RuntimeFailedError(ended, false);
        lastId += 1;
        const id = lastId;
        const settle = () => {
          clearTimeout(timer);
          waiting.delete(id);
        };
        const fail = (error: RuntimeFailedError) => {
          settle();
          reject(error);
        };
        const finish = (probabilities: Float32Array) => {
          settle();
          resolve(probabilities);
        };
        const timer = setTimeout(
          () => fail(new RuntimeFailedError(`no answer within ${deadlineMs} ms`, false)),
          deadlineMs,
        );
        waiting.set(id, { finish, fail });
        port.postMessage({ id, rows } satisfies ThreadRequest);
      }),
    close: async () => {
      end('its thread was ended');
      const exit = new Promise((resolve) => worker.once('exit', resolve));
      port.postMessage(CLOSE);
      await Promise.race([exit, sleep(CLOSE_PATIENCE_MS)]);
    },
  };
}

/**
 * Maximum time of one blocking call. It is long: the check of a model before its release predicts all rows in one call.
 */
const BLOCKING_DEADLINE_MS = 10 * 60_000;

/**
 * Opens an imported model, or a model of this code, in ONNX Runtime. A prediction blocks the calling thread, so use it
 * only in processes that do nothing else. Throws a `ModelRefusedError` for a file that does not fit these features or
 * does not run.
 */
export function openBlocking(bytes: Uint8Array, expected: Contract): Model & { close: () => void } {
  const { metadata, spec } = inspectModel(bytes, expected);
  const { worker, port } = startThread({ bytes, spec, width: expected.features.length });
  worker.unref();
  port.unref();
  const predict = (rows: Float32Array): Float32Array => {
    const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    port.postMessage({ id: 0, rows, signal } satisfies ThreadRequest);
    if (Atomics.wait(signal, 0, 0, BLOCKING_DEADLINE_MS) === 'timed-out') {
      throw new RuntimeFailedError(`no answer within ${BLOCKING_DEADLINE_MS} ms`, false);
    }
    // The thread sends its answer before the signal, so the message is already there.
    const { message } = receiveMessageOnPort(port) as { message: ThreadAnswer };
    const { probabilities, problem } = message;
    if (!probabilities) throw new RuntimeFailedError(problem, true);
    return probabilities;
  };
  return { metadata, predict, close: () => port.postMessage(CLOSE) };
}

function startThread(data: Omit<ThreadData, 'port'>) {
  const { port1: port, port2 } = new MessageChannel();
  const worker = new Worker(THREAD, {
    workerData: { ...data, port: port2 } satisfies ThreadData,
    transferList: [port2],
    // Share the environment, because ONNX Runtime reads one of its variables. A copied environment would not set that
    // variable.
    env: SHARE_ENV,
  });
  return { worker, port };
}
