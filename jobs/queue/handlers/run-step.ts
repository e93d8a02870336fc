import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import { isFinal } from '../../../warehouse/errors.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { recordProgress } from '../../processes/job-journal.ts';
import type { JobProgress } from '../queues.ts';

/** The parts of a job that handlers need. */
export type HandlerJob<Data> = Pick<Job<Data>, 'data' | 'updateProgress'>;

/** Time between two reports. It is short enough for a smooth progress bar, and long enough to cost almost nothing. */
const PROGRESS_INTERVAL_MS = 100;

/**
 * Runs one pipeline step and reports its progress. Turns final errors into `UnrecoverableError`, so that BullMQ does
 * not retry.
 */
export async function runStep<T>(
  job: Pick<Job, 'updateProgress'>,
  step: (progress: Progress) => Promise<T>,
): Promise<T> {
  const reporter = progressReporter((progress) => job.updateProgress(progress));
  try {
    return await step(reporter.report);
  } catch (error) {
    throw toJobError(error);
  } finally {
    await reporter.flush();
  }
}

/** Turns a final error into an `UnrecoverableError`, which ends a job without a retry. */
export function toJobError(error: unknown): unknown {
  return isFinal(error)
    ? Object.assign(new UnrecoverableError(error.message), { cause: error })
    : error;
}

/** Sends one report at a time. Skips reports that arrive meanwhile, but always sends the newest report. */
function progressReporter(send: (progress: JobProgress) => Promise<void>) {
  let sentAt = 0;
  let waiting: JobProgress | undefined;
  let sending = Promise.resolve();

  const sendWaiting = () => {
    const progress = waiting;
    if (progress === undefined) return;
    waiting = undefined;
    sentAt = Date.now();
    // A report that cannot be sent must not fail the job.
    sending = sending.then(() => send(progress)).catch(() => undefined);
  };

  const report: Progress = (done, total, what) => {
    recordProgress(what);
    waiting = { done, total, what };
    if (Date.now() - sentAt >= PROGRESS_INTERVAL_MS) sendWaiting();
  };

  return {
    report,
    flush: async () => {
      sendWaiting();
      await sending;
    },
  };
}
