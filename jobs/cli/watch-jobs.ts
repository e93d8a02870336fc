import type { Job } from 'bullmq';
import { CommandError } from '../errors.ts';
import type { JobProgress, JobRef, Queues } from '../queue/queues.ts';

/** Jobs that are watched together for one owner. */
export type WatchedJobs<Owner> = { owner: Owner; jobs: JobRef[] };

export type Watcher<Owner, Result> = {
  /** Called when a job of the owner may have changed; `done` ends the wait for all owners. */
  inspect: (owner: Owner, done: (result: Result) => void) => Promise<void>;
  /** A job of the owner reports progress. */
  onProgress: (owner: Owner, progress: JobProgress) => void;
};

export type WatchDeps = {
  queues: Queues;
  /** Aborts the wait with its reason; the jobs stay in their queues. */
  signal: AbortSignal;
  /** How long to watch a job that waits for disk space. */
  diskPatienceMs?: number;
};

/** Interval of polling, which finds changes whose events were lost, for example while Redis was unreachable. */
const POLL_MS = 1_000;
/** How long to watch a job that waits for disk space: another job may free space. */
const DISK_PATIENCE_MS = 60_000;
const EVENTS = ['completed', 'failed', 'removed', 'delayed'] as const;

/**
 * Calls `inspect` for every owner: immediately, on each event of the owner's jobs, and every second. Ends when one call
 * ends the wait.
 */
export async function watchJobs<Owner, Result>(
  watched: WatchedJobs<Owner>[],
  { inspect, onProgress }: Watcher<Owner, Result>,
  { queues, signal, diskPatienceMs = DISK_PATIENCE_MS }: WatchDeps,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const giveUpIfShort = shortageWatch(reject, diskPatienceMs);
  const inspectOwner = (owner: Owner) => void inspect(owner, resolve).catch(reject);
  const inspectAllOwners = () => watched.forEach(({ owner }) => inspectOwner(owner));
  const onAbort = () => reject(signal.reason as Error);

  const timer = setInterval(inspectAllOwners, POLL_MS);
  const stopListening = listen(queues, watched, {
    onChange: inspectOwner,
    onProgress: (owner, progress, id) => {
      onProgress(owner, progress);
      giveUpIfShort(progress, id);
    },
  });
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    inspectAllOwners();
    return await promise;
  } finally {
    clearInterval(timer);
    stopListening();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns a function that reports each failed attempt of a job once, except the last attempt. */
export function attemptReporter(onRetry: (job: Job) => void): (job: Job) => void {
  const reported = new Map<string | undefined, number>();
  return (job) => {
    // The job was read after its state, so it may have ended in between. An ended job is not retried.
    if (job.finishedOn !== undefined || job.attemptsMade <= (reported.get(job.id) ?? 0)) return;
    reported.set(job.id, job.attemptsMade);
    onRetry(job);
  };
}

/** Formats a failed attempt that is retried. */
export function attemptText({ id, attemptsMade, failedReason }: Job): string {
  return `${id}: attempt ${attemptsMade} failed, retrying: ${failedReason}`;
}

type Listener<Owner> = {
  onChange: (owner: Owner) => void;
  onProgress: (owner: Owner, progress: JobProgress, id: string) => void;
};

/**
 * Returns a function to call with each progress report of a job. The function calls `fail` when the job has waited too
 * long for disk space, because a command must end.
 */
function shortageWatch(fail: (error: Error) => void, patienceMs: number) {
  const shortSince = new Map<string, number>();
  return ({ what, isShortOfDisk }: JobProgress, id: string): void => {
    if (!isShortOfDisk) return void shortSince.delete(id);
    const since = shortSince.get(id) ?? Date.now();
    shortSince.set(id, since);
    if (Date.now() - since < patienceMs) return;
    fail(
      new CommandError(
        `${what}. The job ${id} stays in the queue until there is enough disk space.`,
      ),
    );
  };
}

/** Listens to the events of the jobs' queues; the returned function stops listening. */
function listen<Owner>(
  queues: Queues,
  watched: WatchedJobs<Owner>[],
  { onChange, onProgress }: Listener<Owner>,
): () => void {
  const entries = watched.flatMap(({ owner, jobs }) => jobs.map((job) => ({ owner, job })));
  const stops = [...Map.groupBy(entries, ({ job }) => job.queue)].map(([name, inQueue]) => {
    const owners = new Map(inQueue.map(({ owner, job }) => [job.id, { owner }]));
    const onEvent = ({ jobId }: { jobId: string }) => {
      const entry = owners.get(jobId);
      if (entry) onChange(entry.owner);
    };
    const onJobProgress = ({ jobId, data }: { jobId: string; data: unknown }) => {
      const entry = owners.get(jobId);
      if (entry) onProgress(entry.owner, data as JobProgress, jobId);
    };
    const events = queues.events(name);
    for (const event of EVENTS) events.on(event, onEvent);
    events.on('progress', onJobProgress);
    return () => {
      for (const event of EVENTS) events.off(event, onEvent);
      events.off('progress', onJobProgress);
    };
  });
  return () => stops.forEach((stop) => stop());
}
