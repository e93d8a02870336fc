import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TrainingImpossibleError } from '../../pipelines/errors.ts';
import type { RecordAccuracy } from '../../models/record-accuracy.ts';
import type { JudgedImport } from '../../pipelines/model/judge-import.ts';
import type { RecordMonth } from '../../pipelines/model/record-accuracy.ts';
import type { Retrained } from '../../pipelines/model/retrain.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import type { Progress } from '../../warehouse/progress.ts';

/** The months on which a model is trained or judged, and the folders to read. */
type HistoryRequest = TrainRequest & {
  /** Months of the lake, `YYYY-MM`, ascending. */
  months: string[];
  lakeDir: string;
  modelsDir: string;
  /** Written into the model. */
  codeVersion: string;
};

export type TrainingRequest = HistoryRequest & {
  /** Seed of all random choices. Equal seeds give equal models. */
  seed: number;
  /** Path of the XGBoost library, if the loader does not find it. */
  library?: string;
};

export type JudgeRequest = HistoryRequest & {
  /** Path of an ONNX file made elsewhere. */
  file: string;
  /** Time within which the API needs the model's answer. */
  deadlineMs: number;
};

/** A record to measure: its provider, folder in the lake, and months, oldest first. */
export type MeasureRequest = { provider: string; lakeDir: string; periods: RecordMonth[] };

type ChildRequest = TrainingRequest | JudgeRequest | MeasureRequest;

/** A message from the child. The last message is the result. */
export type TrainingMessage =
  | { progress: Parameters<Progress> }
  | { result: Retrained | JudgedImport | RecordAccuracy }
  | { problem: string; isFinal: boolean };

const CHILD = fileURLToPath(new URL('training-child.ts', import.meta.url));

/** Time limit of a training: 60 times the training time for a year of U.S. flights. */
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
  return runInChild<Retrained>(request, progress, deadlineMs);
}

/**
 * Starts a separate process that judges a model trained elsewhere. If the model crashes, only this process ends. Throws
 * a `TrainingImpossibleError` for a refused file.
 */
export function judgeInChild(request: JudgeRequest, progress: Progress): Promise<JudgedImport> {
  return runInChild<JudgedImport>(request, progress, DEADLINE_MS);
}

/** Measures the accuracy of a record in a separate process, because scoring blocks its process. */
export function measureInChild(
  request: MeasureRequest,
  progress: Progress,
): Promise<RecordAccuracy> {
  return runInChild<RecordAccuracy>(request, progress, DEADLINE_MS);
}

function runInChild<Result>(
  request: ChildRequest,
  progress: Progress,
  deadlineMs: number,
): Promise<Result> {
  const child = fork(CHILD, [JSON.stringify(request)], {
    // The model is sent as bytes.
    serialization: 'advanced',
    // The worker's flags would load the orphan guard. This child does not need the guard, because it ends on
    // disconnect.
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
      if ('result' in message) return resolve(message.result as Result);
      const { problem, isFinal } = message;
      reject(isFinal ? new TrainingImpossibleError(problem) : new Error(problem));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      reject(
        child.killed
          ? new TrainingImpossibleError(
              `the ${nameOf(request)} took more than ${deadlineMs / 60_000} minutes`,
            )
          : endedEarly(request, `the process ended (${signal ?? `exit code ${code}`})`),
      ),
    );
  });
}

/**
 * Returns the error for a child that ended early. A training that was killed is repeated. If a model crashed the child,
 * the job is not repeated, because the model would crash again.
 */
function endedEarly(request: ChildRequest, text: string): Error {
  return 'file' in request
    ? new TrainingImpossibleError(`the model crashed: ${text}`)
    : new Error(text.replace('the process', `the ${nameOf(request)} process`));
}

function nameOf(request: ChildRequest): string {
  return 'periods' in request ? 'measurement' : 'training';
}
