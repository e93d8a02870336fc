import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TrainingImpossibleError } from '../../pipelines/errors.ts';
import type { Retrained } from '../../pipelines/model/retrain.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import type { Progress } from '../../warehouse/progress.ts';

export type TrainingRequest = TrainRequest & {
  /** Months of the lake, `YYYY-MM`, ascending. */
  months: string[];
  lakeDir: string;
  modelsDir: string;
  /** Seed of all random choices. Equal seeds give equal models. */
  seed: number;
  /** Written into the model. */
  codeVersion: string;
  /** Path of the XGBoost library, if the loader does not find it. */
  library?: string;
};

/** A message from the child. The last message is the result of the training. */
export type TrainingMessage =
  | { progress: Parameters<Progress> }
  | { retrained: Retrained }
  | { problem: string; isFinal: boolean };

const CHILD = fileURLToPath(new URL('training-child.ts', import.meta.url));

/** 60 times the training time for a year of U.S. flights. */
const DEADLINE_MS = 3_600_000;

/**
 * Trains in a separate process, because growing a tree blocks its process, and because the memory is freed when the
 * process ends. The child writes no files, so killing the parent or the child leaves nothing incomplete. Throws
 * `TrainingImpossibleError` if a retry cannot help.
 */
export function trainInChild(
  request: TrainingRequest,
  progress: Progress,
  deadlineMs: number = DEADLINE_MS,
): Promise<Retrained> {
  const child = fork(CHILD, [JSON.stringify(request)], {
    // The model is sent as bytes.
    serialization: 'advanced',
    // The worker's flags would load the orphan guard. This child gets none of the worker's flags, because this child
    // ends on disconnect instead.
    execArgv: [],
    // The child has its own process group, so that on Ctrl-C the worker decides in which order processes end.
    detached: true,
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: TrainingMessage) => {
      if ('progress' in message) return progress(...message.progress);
      child.disconnect();
      if ('retrained' in message) return resolve(message.retrained);
      const { problem, isFinal } = message;
      reject(isFinal ? new TrainingImpossibleError(problem) : new Error(problem));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      reject(
        child.killed
          ? new TrainingImpossibleError(
              `the training took more than ${deadlineMs / 60_000} minutes`,
            )
          : new Error(`the training process ended (${signal ?? `exit code ${code}`})`),
      ),
    );
  });
}
