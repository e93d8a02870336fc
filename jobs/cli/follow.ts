import type { Job } from 'bullmq';
import { JobFailedError } from '../errors.ts';
import { findJob } from '../queue/queues.ts';
import type { JobProgress, JobRef, Queues } from '../queue/queues.ts';
import type { ProgressLine } from './progress-line.ts';

export type FollowDeps = {
  queues: Queues;
  line: ProgressLine;
  /** Ends the wait with its reason; the job stays where it is. */
  signal: AbortSignal;
};

/** Events say at once what happened; looking again catches what they missed, for example while Redis was away. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Waits for the end of a job and gives its result, showing progress and failed attempts on the way.
 * A job that ended before the call counts. Throws `JobFailedError` when it failed or is not there.
 */
export async function follow<T>(ref: JobRef, { queues, line, signal }: FollowDeps): Promise<T> {
  const events = queues.events(ref.queue);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const tellAttempt = attemptTeller(line);

  const look = async () => {
    // The state first: a job read after it has its result.
    const state = await queues.queue(ref.queue).getJobState(ref.id);
    const job = await findJob(queues, ref);
    if (job === undefined) throw new JobFailedError(ref.id, 'the job was removed from the queue');
    if (state === 'completed') return resolve(job.returnvalue as T);
    if (state === 'failed') return reject(new JobFailedError(ref.id, job.failedReason));
    tellAttempt(job);
  };
  const lookNow = () => void look().catch(reject);
  const onEvent = ({ jobId }: { jobId: string }) => {
    if (jobId === ref.id) lookNow();
  };
  const onProgress = ({ jobId, data }: { jobId: string; data: unknown }) => {
    if (jobId === ref.id) line.show(data as JobProgress);
  };
  const onAbort = () => reject(signal.reason as Error);

  const timer = setInterval(lookNow, LOOK_AGAIN_MS);
  events.on('completed', onEvent).on('failed', onEvent).on('removed', onEvent);
  events.on('delayed', onEvent).on('progress', onProgress);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    lookNow();
    return await promise;
  } finally {
    clearInterval(timer);
    events.off('completed', onEvent).off('failed', onEvent).off('removed', onEvent);
    events.off('delayed', onEvent).off('progress', onProgress);
    signal.removeEventListener('abort', onAbort);
    line.end();
  }
}

function attemptTeller(line: ProgressLine): (job: Job) => void {
  let told = 0;
  return (job) => {
    // Its state may be older than it: one that has ended is not tried again, and the next look says so.
    if (job.finishedOn !== undefined || job.attemptsMade <= told) return;
    told = job.attemptsMade;
    line.note(`${job.id}: attempt ${told} failed, trying again: ${job.failedReason}`);
  };
}
