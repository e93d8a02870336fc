import type { Job } from 'bullmq';
import type { Month } from '../../pipelines/flights/months.ts';
import type { MonthResult } from '../../pipelines/flights/types.ts';
import type { MonthJobs } from '../queue/backfill-jobs.ts';
import { findJob, QUEUE_NAMES } from '../queue/queues.ts';
import type { JobProgress, JobRef, Queues } from '../queue/queues.ts';

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

export type FollowMonthsDeps = {
  queues: Queues;
  /** Ends the wait with its reason; the jobs stay where they are. */
  signal: AbortSignal;
};

/** Events say at once what happened; looking again catches what they missed. */
const LOOK_AGAIN_MS = 1_000;
const EVENTS = ['completed', 'failed', 'removed', 'delayed'] as const;

/** Waits for the end of every month, failed or not, and gives their ends in the order of the months. */
export async function followMonths(
  months: MonthJobs[],
  watcher: MonthsWatcher,
  { queues, signal }: FollowMonthsDeps,
): Promise<MonthEnd[]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ends = new Map<Month, MonthEnd>();
  const tellAttempt = attemptTeller(watcher);

  const look = async (jobs: MonthJobs) => {
    if (ends.has(jobs.month)) return;
    const end = await endOf(queues, jobs);
    if (end === undefined) return tellAttempt(await findJob(queues, jobs.extract));
    if (ends.has(jobs.month)) return;
    ends.set(jobs.month, end);
    watcher.ended(end, jobs);
    if (ends.size === months.length) resolve();
  };
  const lookAt = (jobs: MonthJobs) => void look(jobs).catch(reject);
  const lookAtAll = () => months.forEach(lookAt);
  const onAbort = () => reject(signal.reason as Error);

  const timer = setInterval(lookAtAll, LOOK_AGAIN_MS);
  const stopListening = listen(queues, months, {
    changed: lookAt,
    busy: ({ month }, progress) => {
      if (!ends.has(month)) watcher.busy(month, progress);
    },
  });
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    lookAtAll();
    await promise;
    return months.flatMap(({ month }) => ends.get(month) ?? []);
  } finally {
    clearInterval(timer);
    stopListening();
    signal.removeEventListener('abort', onAbort);
  }
}

type Listener = {
  changed: (jobs: MonthJobs) => void;
  busy: (jobs: MonthJobs, progress: JobProgress) => void;
};

function listen(queues: Queues, months: MonthJobs[], { changed, busy }: Listener): () => void {
  const byId = new Map(
    months.flatMap((jobs) => [[jobs.load.id, jobs] as const, [jobs.extract.id, jobs] as const]),
  );
  const onEvent = ({ jobId }: { jobId: string }) => {
    const jobs = byId.get(jobId);
    if (jobs) changed(jobs);
  };
  const onProgress = ({ jobId, data }: { jobId: string; data: unknown }) => {
    const jobs = byId.get(jobId);
    if (jobs) busy(jobs, data as JobProgress);
  };
  const sources = QUEUE_NAMES.map((name) => queues.events(name));
  for (const events of sources) {
    for (const name of EVENTS) events.on(name, onEvent);
    events.on('progress', onProgress);
  }
  return () => {
    for (const events of sources) {
      for (const name of EVENTS) events.off(name, onEvent);
      events.off('progress', onProgress);
    }
  };
}

/** Tells each failed attempt of an extract once, unless it was the last. */
function attemptTeller({ retried }: MonthsWatcher): (job: Job | undefined) => void {
  const told = new Map<string, number>();
  return (job) => {
    if (job?.id === undefined || job.attemptsMade <= (told.get(job.id) ?? 0)) return;
    told.set(job.id, job.attemptsMade);
    if (job.finishedOn === undefined) retried(job);
  };
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
  const failure = cause?.failedReason;
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
