import type { Job, JobType } from 'bullmq';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import { jobId } from './job-id.ts';
import type { JobRef } from './queues.ts';
import { addOnce, type QueueAccess } from './requests.ts';

/** A month to drop, or to restore if `version` is set. */
export type UndoRequest = MonthRef & { version?: string; force?: boolean };

/** Data of an undo. `after` is the id of the previous unfinished request for the month. */
type UndoData = UndoRequest & { after?: string };

/**
 * Requests that a month is dropped or restored. If the last unfinished request for the month is equal, follows the job
 * of that request instead of adding a job.
 */
export async function requestUndo(queues: QueueAccess, request: UndoRequest): Promise<JobRef> {
  const { month, tree, provider, version } = request;
  const name = version === undefined ? 'drop-month' : 'restore-month';
  const lastRequest = await lastUndo(queues, request);
  if (
    lastRequest?.id !== undefined &&
    lastRequest.name === name &&
    lastRequest.data.version === version &&
    lastRequest.data.force === request.force
  ) {
    return { queue: 'warehouse', id: lastRequest.id };
  }
  const label = [name, provider ?? tree, month, version]
    .filter((part) => part !== undefined)
    .join('-');
  const after = lastRequest?.id;
  const ref: JobRef = { queue: 'warehouse', id: jobId(label, { after, force: request.force }) };
  return addOnce(queues, ref, name, { ...request, ...(after !== undefined && { after }) });
}

/** Finds the last unfinished undo of the month. */
async function lastUndo(
  queues: QueueAccess,
  { month, tree, provider }: MonthRef,
): Promise<Job<UndoData> | undefined> {
  const states: JobType[] = ['active', 'waiting', 'prioritized', 'delayed'];
  const jobs = (await queues.queue('warehouse').getJobs(states)) as Job<UndoData>[];
  const undos = jobs
    .filter(({ name }) => name === 'drop-month' || name === 'restore-month')
    .filter(({ data }) => data.month === month && data.tree === tree)
    .filter(({ data }) => data.provider === provider);
  const predecessors = new Set(undos.map(({ data }) => data.after));
  return undos.find(({ id }) => !predecessors.has(id));
}
