import type { MessagePort } from 'node:worker_threads';
import type { RuntimeSpec } from '../onnx/runtime-spec.ts';

/** Everything that the thread of a model needs at its start. */
export type ThreadData = {
  /** The ONNX file. */
  bytes: Uint8Array;
  spec: RuntimeSpec;
  /** Number of features in a row. */
  width: number;
  port: MessagePort;
};

/** Rows to predict. If there is a `signal`, the thread sets it to 1 after sending the answer. */
export type ThreadRequest = { id: number; rows: Float32Array; signal?: Int32Array };

/** Ends the thread. */
export const CLOSE = 'close';

/** The probability of each row, or the reason why the rows have no probability. */
export type ThreadAnswer = { id: number } & (
  | { probabilities: Float32Array; problem?: never }
  | { problem: string; probabilities?: never }
);
