import type { Job } from 'bullmq';
import type { Month } from '../../pipelines/flights/months.ts';
import type { MonthResult } from '../../pipelines/flights/types.ts';
import type { MonthJobs } from '../queue/month-jobs.ts';
import { failureReason } from '../queue/failed-reason.ts';
import { findJob, type JobProgress, type JobRef, type Queues } from '../queue/queues.ts';
import { attemptReporter, watchJobs, type WatchDeps } from './watch-jobs.ts';

/** Outcome of the jobs of a month: a result or a failure. */
export type MonthEnd = {
  month: Month;
  /** Working time of the extract job and the load job, without waiting time. */
  seconds: number;
} & (
  | { result: MonthResult; failure?: never }
  | {
      failure: string;
      /** Whether a repeated request would fail the same way. */
      isFinal: boolean;
      result?: never;
    }
);

/** Callbacks while months are followed. */
export type MonthsWatcher = {
  onEnd: (end: MonthEnd, jobs: MonthJobs) => void;
  /** A job of a month reports progress. */
  onProgress: (month: Month, progress: JobProgress) => void;
  /** An attempt failed and will be retried. */
  onRetry: (job: Job) => void;
};

/** Waits until every month has ended, successful or not. Returns the results and failures in the order of the months. */
export async function followMonths(
  months: MonthJobs[],
  watcher: MonthsWatcher,
  deps: WatchDeps,
): Promise<MonthEnd[]> {
  const { queues } = deps;
  const ends = new Map<Month, MonthEnd>();
  const reportAttempt = attemptReporter(watcher.onRetry);

  const inspect = async (jobs: MonthJobs, done: () => void) => {
    if (ends.has(jobs.month)) return;
    const end = await readEnd(queues, jobs);
    if (end === undefined) {
      const extract = await findJob(queues, jobs.extract);
      return extract && reportAttempt(extract);
    }
    if (ends.has(jobs.month)) return;
    ends.set(jobs.month, end);
    watcher.onEnd(end, jobs);
    if (ends.size === months.length) done();
  };
  const onProgress = ({ month }: MonthJobs, progress: JobProgress) => {
    if (!ends.has(month)) watcher.onProgress(month, progress);
  };
  const watched = months.map((jobs) => ({ owner: jobs, jobs: [jobs.load, jobs.extract] }));
  await watchJobs<MonthJobs, void>(watched, { inspect, onProgress }, deps);
  return months.flatMap(({ month }) => ends.get(month) ?? []);
}

/**
 * Returns the outcome of the jobs of a month; undefined while a job waits or runs. If the extract failed, the month
 * ends only when the load has failed too.
 */
async function readEnd(
  queues: Queues,
  { month, extract, load }: MonthJobs,
): Promise<MonthEnd | undefined> {
  const state = await stateOf(queues, load);
  if (state !== 'completed' && state !== 'failed' && state !== 'unknown') return undefined;
  const [loading, extracting] = [await findJob(queues, load), await findJob(queues, extract)];
  const seconds = (workMs(loading) + workMs(extracting)) / 1_000;
  if (state === 'completed' && loading) {
    return { month, seconds, result: loading.returnvalue as MonthResult };
  }
  const cause = (await stateOf(queues, extract)) === 'failed' ? extracting : loading;
  const failure = cause && failureReason(cause);
  // A final error ends a job even if it has attempts left.
  const isFinal = cause !== undefined && cause.attemptsMade < (cause.opts.attempts ?? 1);
  return { month, seconds, failure: failure ?? 'its job was removed from the queue', isFinal };
}

async function stateOf(queues: Queues, { queue, id }: JobRef): Promise<string> {
  return queues.queue(queue).getJobState(id);
}

function workMs(job: Job | undefined): number {
  const { processedOn, finishedOn } = job ?? {};
  return processedOn === undefined || finishedOn === undefined ? 0 : finishedOn - processedOn;
}
