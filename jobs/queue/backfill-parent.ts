import { setTimeout as sleep } from 'node:timers/promises';
import { jobId } from './job-id.ts';
import type { BackfillRequest } from './month-jobs.ts';
import { findJob, type JobRef } from './queues.ts';
import type { QueueAccess } from './requests.ts';

const POLL_MS = 20;

/**
 * Returns the job that waits for the months of a request. Its id names the first and last month and hashes all
 * parameters.
 */
export function parentRef(request: BackfillRequest): JobRef {
  const { kind, months } = request;
  const name = ['backfill', kind, months.at(0), months.at(-1)].filter(Boolean).join('-');
  return { queue: 'extract', id: jobId(name, request) };
}

/** Whether the parent still waits for months. If it is counting them now, waits until it has ended. */
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
 * Removes the parent but not its months. Returns false if it is running, because BullMQ cannot remove a running job.
 */
export async function removeParent(queues: QueueAccess, { queue, id }: JobRef): Promise<boolean> {
  return (await queues.queue(queue).remove(id, { removeChildren: false })) === 1;
}

/**
 * Whether the parent waits only for months that belong to another parent, so that nothing would ever wake it. This
 * happens when another host adds the same months at the same moment, because a job has only one parent.
 */
export async function isOrphan(queues: QueueAccess, ref: JobRef): Promise<boolean> {
  const job = await findJob(queues, ref);
  if (!job || (await job.getDependenciesCount()).unprocessed !== 0) return false;
  // If the months were its own, the last of them would have woken the parent.
  return (await job.getState()) === 'waiting-children';
}
