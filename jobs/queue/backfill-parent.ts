import { setTimeout as sleep } from 'node:timers/promises';
import { jobId } from './job-id.ts';
import type { BackfillRequest } from './month-jobs.ts';
import { findJob, type JobRef } from './queues.ts';
import type { JustQueues } from './requests.ts';

const LOOK_MS = 20;

/** The job that waits for the months of a request. First and last month are for people; the hash has every parameter. */
export function parentRef(request: BackfillRequest): JobRef {
  const { kind, months } = request;
  const name = ['backfill', kind, months.at(0), months.at(-1)].filter(Boolean).join('-');
  return { queue: 'extract', id: jobId(name, request) };
}

/** Whether the parent still waits; one that counts its months right now is waited for. */
export async function isUnfinishedParent(
  queues: JustQueues,
  { queue, id }: JobRef,
): Promise<boolean> {
  for (;;) {
    const state = await queues.queue(queue).getJobState(id);
    if (state !== 'active') return !['completed', 'failed', 'unknown'].includes(state);
    await sleep(LOOK_MS);
  }
}

/** Removes the parent and leaves its months; says whether it could, as a running job cannot be removed. */
export async function removeParent(queues: JustQueues, { queue, id }: JobRef): Promise<boolean> {
  return (await queues.queue(queue).remove(id, { removeChildren: false })) === 1;
}

/**
 * Whether the parent waits for months of which none is its own, so that nothing would ever wake it: another host added all of
 * them at the same moment, and a job has one parent.
 */
export async function isOrphan(queues: JustQueues, ref: JobRef): Promise<boolean> {
  const job = await findJob(queues, ref);
  if (!job || (await job.getDependenciesCount()).unprocessed !== 0) return false;
  // The last of its own months would have woken it.
  return (await job.getState()) === 'waiting-children';
}
