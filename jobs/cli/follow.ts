import { JobFailedError } from '../errors.ts';
import { findJob } from '../queue/queues.ts';
import { reasonOf } from '../queue/failed-reason.ts';
import type { JobRef } from '../queue/queues.ts';
import type { ProgressLine } from './progress-line.ts';
import { attemptTeller, attemptText, watchJobs, type WatchDeps } from './watch-jobs.ts';

export type FollowDeps = WatchDeps & { line: ProgressLine };

/**
 * Waits for the end of a job and gives its result, showing progress and failed attempts on the way.
 * A job that ended before the call counts. Throws `JobFailedError` when it failed or is not there.
 */
export async function follow<T>(ref: JobRef, deps: FollowDeps): Promise<T> {
  const { queues, line } = deps;
  const tellAttempt = attemptTeller((job) => line.note(attemptText(job)));

  const look = async (_: JobRef, done: (result: T) => void) => {
    // The state first: a job read after it has its result.
    const state = await queues.queue(ref.queue).getJobState(ref.id);
    const job = await findJob(queues, ref);
    if (job === undefined) throw new JobFailedError(ref.id, 'the job was removed from the queue');
    if (state === 'completed') return done(job.returnvalue as T);
    if (state === 'failed') throw new JobFailedError(ref.id, reasonOf(job));
    tellAttempt(job);
  };
  try {
    const busy = (_: JobRef, progress: Parameters<ProgressLine['show']>[0]) => line.show(progress);
    return await watchJobs([{ owner: ref, jobs: [ref] }], { look, busy }, deps);
  } finally {
    line.end();
  }
}
