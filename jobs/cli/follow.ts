import { JobFailedError } from '../errors.ts';
import { findJob, type JobRef } from '../queue/queues.ts';
import { failureReason } from '../queue/failed-reason.ts';
import type { ProgressLine } from './progress-line.ts';
import { attemptReporter, attemptText, watchJobs, type WatchDeps } from './watch-jobs.ts';

export type FollowDeps = WatchDeps & { line: ProgressLine };

/**
 * Waits until a job has ended and returns its result. Shows progress and failed attempts meanwhile. The job may have
 * ended before the call. Throws `JobFailedError` if the job failed or no longer exists.
 */
export async function follow<T>(ref: JobRef, deps: FollowDeps): Promise<T> {
  const { queues, line } = deps;
  const reportAttempt = attemptReporter((job) => line.note(attemptText(job)));

  const inspect = async (_: JobRef, done: (result: T) => void) => {
    // Reads the state first: a job that is read after its completion includes its result.
    const state = await queues.queue(ref.queue).getJobState(ref.id);
    const job = await findJob(queues, ref);
    if (job === undefined) throw new JobFailedError(ref.id, 'the job was removed from the queue');
    if (state === 'completed') return done(job.returnvalue as T);
    if (state === 'failed') throw new JobFailedError(ref.id, failureReason(job));
    reportAttempt(job);
  };
  try {
    const onProgress = (_: JobRef, progress: Parameters<ProgressLine['show']>[0]) =>
      line.show(progress);
    return await watchJobs([{ owner: ref, jobs: [ref] }], { inspect, onProgress }, deps);
  } finally {
    line.end();
  }
}
