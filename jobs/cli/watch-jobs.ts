import type { Job } from 'bullmq';
import type { JobProgress, JobRef, Queues } from '../queue/queues.ts';

/** Jobs that are watched together, and what is known of whoever they belong to. */
export type Watched<Owner> = { owner: Owner; jobs: JobRef[] };

export type Watcher<Owner, Result> = {
  /** Asked when something may have happened to a job of the owner; `done` ends the wait for all. */
  look: (owner: Owner, done: (result: Result) => void) => Promise<void>;
  /** What a job of the owner is doing just now. */
  busy: (owner: Owner, progress: JobProgress) => void;
};

export type WatchDeps = {
  queues: Queues;
  /** Ends the wait with its reason; the jobs stay where they are. */
  signal: AbortSignal;
};

/** Events say at once what happened; looking again catches what they missed, for example while Redis was away. */
const LOOK_AGAIN_MS = 1_000;
const EVENTS = ['completed', 'failed', 'removed', 'delayed'] as const;

/** Looks at jobs, first of all, at every event of theirs and every second, until a look says that it is done. */
export async function watchJobs<Owner, Result>(
  watched: Watched<Owner>[],
  { look, busy }: Watcher<Owner, Result>,
  { queues, signal }: WatchDeps,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const lookAt = (owner: Owner) => void look(owner, resolve).catch(reject);
  const lookAtAll = () => watched.forEach(({ owner }) => lookAt(owner));
  const onAbort = () => reject(signal.reason as Error);

  const timer = setInterval(lookAtAll, LOOK_AGAIN_MS);
  const stopListening = listen(queues, watched, { changed: lookAt, busy });
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    lookAtAll();
    return await promise;
  } finally {
    clearInterval(timer);
    stopListening();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Tells each failed attempt of a job once, unless it was the last. */
export function attemptTeller(retried: (job: Job) => void): (job: Job) => void {
  const told = new Map<string | undefined, number>();
  return (job) => {
    // Its state may be older than it: one that has ended is not tried again, and the next look says so.
    if (job.finishedOn !== undefined || job.attemptsMade <= (told.get(job.id) ?? 0)) return;
    told.set(job.id, job.attemptsMade);
    retried(job);
  };
}

/** A failed attempt in a line. */
export function attemptText({ id, attemptsMade, failedReason }: Job): string {
  return `${id}: attempt ${attemptsMade} failed, trying again: ${failedReason}`;
}

type Listener<Owner> = {
  changed: (owner: Owner) => void;
  busy: (owner: Owner, progress: JobProgress) => void;
};

/** Listens to the queues the jobs are in; returns what ends that. */
function listen<Owner>(
  queues: Queues,
  watched: Watched<Owner>[],
  { changed, busy }: Listener<Owner>,
): () => void {
  const entries = watched.flatMap(({ owner, jobs }) => jobs.map((job) => ({ owner, job })));
  const stops = [...Map.groupBy(entries, ({ job }) => job.queue)].map(([name, inQueue]) => {
    const owners = new Map(inQueue.map(({ owner, job }) => [job.id, { owner }]));
    const onEvent = ({ jobId }: { jobId: string }) => {
      const found = owners.get(jobId);
      if (found) changed(found.owner);
    };
    const onProgress = ({ jobId, data }: { jobId: string; data: unknown }) => {
      const found = owners.get(jobId);
      if (found) busy(found.owner, data as JobProgress);
    };
    const events = queues.events(name);
    for (const event of EVENTS) events.on(event, onEvent);
    events.on('progress', onProgress);
    return () => {
      for (const event of EVENTS) events.off(event, onEvent);
      events.off('progress', onProgress);
    };
  });
  return () => stops.forEach((stop) => stop());
}
