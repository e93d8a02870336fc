import { setTimeout as sleep } from 'node:timers/promises';
import { jobId } from './job-id.ts';
import type { BackfillRequest } from './month-jobs.ts';
import { findJob, type JobRef } from './queues.ts';
import type { QueueAccess } from './requests.ts';

const POLL_MS = 20;

/**
 * Returns the job that waits for the months of a request. The id of this job contains the first month, the last month
 * and a hash of all parameters.
 */
export function parentRef(request: BackfillRequest): JobRef {
  const { kind, months } = request;
  const name = ['backfill', kind, months.at(0), months.at(-1)].filter(Boolean).join('-');
  return { queue: 'extract', id: jobId(name, request) };
}

/**
 * Returns whether the parent is still waiting for its months. If it has already begun to count the outcomes, waits
 * until it has ended.
 */
export async function isUnfinishedParent(
  queues: QueueAccess,
  { queue, id }: JobRef,
): Promise<boolean> {
  for (;;) {
    const state = await queues.queue(queue).getJobState(id);
    if (state !== 'active') return !['completed', 'failed', 'unknown'].includes(state);
    await sleep(POLL_MS);
  }
}

/**
 * Removes the parent but not its months. Returns false if the parent is running, because BullMQ cannot remove a running
 * job.
 */
export async function removeParent(queues: QueueAccess, { queue, id }: JobRef): Promise<boolean> {
  return (await queues.queue(queue).remove(id, { removeChildren: false })) === 1;
}

/**
 * Returns whether the parent waits only for months that belong to another parent. A job has only one parent, so these
 * months never wake the given parent. This happens when another host adds the same months at the same moment.
 */
export async function isOrphan(queues: QueueAccess, ref: JobRef): Promise<boolean> {
  const job = await findJob(queues, ref);
  if (!job || (await job.getDependenciesCount()).unprocessed !== 0) return false;
  // All months have ended. If they belonged to this parent, the last month would have woken the parent.
  return (await job.getState()) === 'waiting-children';
}
