import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TrainingImpossibleError } from '../../pipelines/errors.ts';
import type { Retrained } from '../../pipelines/model/retrain.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import type { Progress } from '../../warehouse/progress.ts';

export type TrainingRequest = TrainRequest & {
  /** Of the lake, `YYYY-MM`, ascending. */
  months: string[];
  lakeDir: string;
  modelsDir: string;
  /** Of the random choices: the same gives the same model. */
  seed: number;
  /** Written into the model. */
  codeVersion: string;
  /** Of XGBoost, where it is not where the loader finds it. */
  library?: string;
};

/** What the child says; its last word is what came of the training. */
export type TrainingMessage =
  | { progress: Parameters<Progress> }
  | { retrained: Retrained }
  | { problem: string; isFinal: boolean };

const CHILD = fileURLToPath(new URL('training-child.ts', import.meta.url));

/** Sixty times what a year of U.S. flights takes. */
const DEADLINE_MS = 3_600_000;

/**
 * Trains in a process of its own: a tree holds up its process for as long as it grows, and its memory goes with it.
 * Nothing is written there, so whichever of the two processes is killed leaves nothing half. Throws
 * `TrainingImpossibleError` where trying again cannot help.
 */
export function trainInChild(
  request: TrainingRequest,
  progress: Progress,
  deadlineMs: number = DEADLINE_MS,
): Promise<Retrained> {
  const child = fork(CHILD, [JSON.stringify(request)], {
    // The model travels as bytes.
    serialization: 'advanced',
    // It waits until we hang up, unlike a worker, whose guard would come along.
    execArgv: [],
    // A group of its own: on a Ctrl-C the worker decides who ends when.
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
          : new Error(`the training was ended (${signal ?? `exit code ${code}`})`),
      ),
    );
  });
}
