import type { Job, JobType } from 'bullmq';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import { jobId } from './job-id.ts';
import type { JobRef } from './queues.ts';
import { addOnce, type JustQueues } from './requests.ts';

/** A month to drop, or a version of it to restore. */
export type UndoRequest = MonthRef & { version?: string };

/** Data of an undo; `after` names the request for the same month that comes before it. */
type UndoData = UndoRequest & { after?: string };

/**
 * Requests that a month is dropped, or that a version of it is restored; joins an equal request that waits or runs, unless
 * another one for the month comes after it: the last request decides.
 */
export async function requestUndo(queues: JustQueues, request: UndoRequest): Promise<JobRef> {
  const { month, tree, version } = request;
  const name = version === undefined ? 'drop-month' : 'restore-month';
  const last = await lastUndo(queues, request);
  if (last?.id !== undefined && last.name === name && last.data.version === version) {
    return { queue: 'warehouse', id: last.id };
  }
  const about = [name, tree, month, version].filter((part) => part !== undefined).join('-');
  const after = last?.id;
  const ref: JobRef = { queue: 'warehouse', id: jobId(about, { after }) };
  return addOnce(queues, ref, name, { ...request, ...(after !== undefined && { after }) });
}

/** The unfinished undo of that month which no other comes after. */
async function lastUndo(
  queues: JustQueues,
  { month, tree }: MonthRef,
): Promise<Job<UndoData> | undefined> {
  const states: JobType[] = ['active', 'waiting', 'prioritized', 'delayed'];
  const jobs = (await queues.queue('warehouse').getJobs(states)) as Job<UndoData>[];
  const undos = jobs
    .filter(({ name }) => name === 'drop-month' || name === 'restore-month')
    .filter(({ data }) => data.month === month && data.tree === tree);
  const followed = new Set(undos.map(({ data }) => data.after));
  return undos.find(({ id }) => !followed.has(id));
}
