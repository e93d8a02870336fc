import type { Job } from 'bullmq';
import type { Month } from '../../pipelines/flights/months.ts';
import type { MonthResult } from '../../pipelines/flights/types.ts';
import type { MonthJobs } from '../queue/month-jobs.ts';
import { reasonOf } from '../queue/failed-reason.ts';
import { findJob } from '../queue/queues.ts';
import type { JobProgress, JobRef, Queues } from '../queue/queues.ts';
import { attemptTeller, watchJobs, type WatchDeps } from './watch-jobs.ts';

/** How a month ended. */
export type MonthEnd = {
  month: Month;
  /** Time its jobs worked, without the time they waited. */
  seconds: number;
} & (
  | { result: MonthResult; failure?: never }
  | {
      failure: string;
      /** Asking again would end the same way. */
      isFinal: boolean;
      result?: never;
    }
);

/** Told while months are followed. */
export type MonthsWatcher = {
  ended: (end: MonthEnd, jobs: MonthJobs) => void;
  /** What a job of a month is doing just now. */
  busy: (month: Month, progress: JobProgress) => void;
  /** A failed attempt that will be repeated. */
  retried: (job: Job) => void;
};

/** Waits for the end of every month, failed or not, and gives their ends in the order of the months. */
export async function followMonths(
  months: MonthJobs[],
  watcher: MonthsWatcher,
  deps: WatchDeps,
): Promise<MonthEnd[]> {
  const { queues } = deps;
  const ends = new Map<Month, MonthEnd>();
  const tellAttempt = attemptTeller(watcher.retried);

  const look = async (jobs: MonthJobs, done: () => void) => {
    if (ends.has(jobs.month)) return;
    const end = await endOf(queues, jobs);
    if (end === undefined) {
      const extract = await findJob(queues, jobs.extract);
      return extract && tellAttempt(extract);
    }
    if (ends.has(jobs.month)) return;
    ends.set(jobs.month, end);
    watcher.ended(end, jobs);
    if (ends.size === months.length) done();
  };
  const busy = ({ month }: MonthJobs, progress: JobProgress) => {
    if (!ends.has(month)) watcher.busy(month, progress);
  };
  const watched = months.map((jobs) => ({ owner: jobs, jobs: [jobs.load, jobs.extract] }));
  await watchJobs<MonthJobs, void>(watched, { look, busy }, deps);
  return months.flatMap(({ month }) => ends.get(month) ?? []);
}

/** How the month ended, or undefined when it has not; a failed extract counts once its load has failed with it. */
async function endOf(
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
  const failure = cause && reasonOf(cause);
  // What no second try can help ends a job before its attempts are used up.
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
