import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import { isFinal } from '../../../warehouse/errors.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import type { JobProgress } from '../queues.ts';

/** What a handler needs of its job. */
export type HandlerJob<Data> = Pick<Job<Data>, 'data' | 'updateProgress'>;

/** Often enough for a smooth bar, seldom enough to cost nothing. */
const PROGRESS_INTERVAL_MS = 100;

/** Calls one pipeline step, reports its progress, and makes the errors no second try can help final. */
export async function runStep<T>(
  job: Pick<Job, 'updateProgress'>,
  step: (progress: Progress) => Promise<T>,
): Promise<T> {
  const reporter = progressReporter((progress) => job.updateProgress(progress));
  try {
    return await step(reporter.report);
  } catch (error) {
    throw isFinal(error)
      ? Object.assign(new UnrecoverableError(error.message), { cause: error })
      : error;
  } finally {
    await reporter.flush();
  }
}

/** Sends at most one report at a time; the newest one is never lost. */
function progressReporter(send: (progress: JobProgress) => Promise<void>) {
  let sentAt = 0;
  let waiting: JobProgress | undefined;
  let sending = Promise.resolve();

  const sendWaiting = () => {
    const progress = waiting;
    if (progress === undefined) return;
    waiting = undefined;
    sentAt = Date.now();
    // A lost report is not worth a failed job.
    sending = sending.then(() => send(progress)).catch(() => undefined);
  };

  const report: Progress = (done, total, what) => {
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
