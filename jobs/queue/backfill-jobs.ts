import { withLock } from '../processes/lock.ts';
import { isOrphan, isUnfinishedParent, parentRef, removeParent } from './backfill-parent.ts';
import {
  monthFlow,
  monthJobs,
  type BackfillRequest,
  type FollowUp,
  type LoadMonthData,
  type MonthJobs,
} from './month-jobs.ts';
import { findJob } from './queues.ts';
import type { JobRef, Queues } from './queues.ts';
import { forget, isUnderWay } from './requests.ts';
import { JOB_OPTIONS } from './retry.ts';

export type BackfillJobs = {
  /** The job that waits for all months, those of other requests included, and then starts the follow-up. */
  parent: JobRef;
  months: MonthJobs[];
};

/** Data of the parent. */
export type BackfillData = {
  /** How many. */
  months: number;
  /** Ids of the load jobs it waits for, its own and those of other requests. */
  loads?: string[];
  andThen?: FollowUp;
};

const LOCK_PATIENCE_MS = 30_000;

/**
 * Requests months as a flow of jobs: one parent, and for each month a load with its extract. A month that is under way with the
 * same source and `force` is joined: the parent waits for it too. A request joins an unfinished back-fill only if all
 * parameters are equal. The lock keeps two commands from looking and adding at the same time.
 */
export async function requestBackfill(
  queues: Queues,
  request: BackfillRequest,
  lockFile: string,
): Promise<BackfillJobs> {
  return withLock(lockFile, LOCK_PATIENCE_MS, async () => {
    const parent = parentRef(request);
    const months = request.months.map((month) => monthJobs(month, request));
    const isJoined = await joinBackfill(queues, parent, months, request);
    if (!isJoined) await addBackfill(queues, parent, months, request);
    return { parent, months };
  });
}

async function addBackfill(
  queues: Queues,
  parent: JobRef,
  months: MonthJobs[],
  request: BackfillRequest,
): Promise<void> {
  const { missing = [], joined = [] } = await groupMonths(months, async (jobs) =>
    (await isUnderWay(queues, jobs)) ? 'joined' : 'missing',
  );
  await forgetMonths(queues, missing);
  await forget(queues, parent);
  const loads = months.map(({ load }) => load.id);
  await queues.flows.add({
    name: 'backfill',
    queueName: parent.queue,
    data: { ...request, months: months.length, loads } satisfies BackfillData,
    opts: { ...JOB_OPTIONS, jobId: parent.id },
    children: missing.map((jobs) => monthFlow(jobs, request)),
  });
  if (request.andThen) await noteFollowUp(queues, joined, request.andThen);
  if (!(await isOrphan(queues, parent))) return;
  await removeParent(queues, parent);
  await addBackfill(queues, parent, months, request);
}

/**
 * Joins the unfinished back-fill of that id if one of its months is under way, and says whether it did. Loaded months keep their
 * results; failed or removed ones are added again, and the parent waits for them.
 */
async function joinBackfill(
  queues: Queues,
  parent: JobRef,
  months: MonthJobs[],
  request: BackfillRequest,
): Promise<boolean> {
  if (!(await isUnfinishedParent(queues, parent))) return false;
  const { missing = [], joined = [] } = await groupMonths(months, async (jobs) => {
    if (await isUnderWay(queues, jobs)) return 'joined';
    const state = await queues.queue(jobs.load.queue).getJobState(jobs.load.id);
    return state === 'completed' ? 'loaded' : 'missing';
  });
  if (joined.length === 0 || (await isOrphan(queues, parent))) {
    if (await removeParent(queues, parent)) return false;
    // A worker took it between the two looks.
    return joinBackfill(queues, parent, months, request);
  }
  if (missing.length === 0) return true;
  await forgetMonths(queues, missing);
  await queues.flows.addBulk(missing.map((jobs) => monthFlow(jobs, request)));
  // A parent that counted its months just before needs a successor.
  return isUnfinishedParent(queues, parent);
}

async function groupMonths<Group extends string>(
  months: MonthJobs[],
  groupOf: (jobs: MonthJobs) => Promise<Group>,
): Promise<Partial<Record<Group, MonthJobs[]>>> {
  const grouped: { jobs: MonthJobs; group: Group }[] = [];
  for (const jobs of months) grouped.push({ jobs, group: await groupOf(jobs) });
  const groups = Map.groupBy(grouped, ({ group }) => group);
  const lists = [...groups].map(([group, all]) => [group, all.map(({ jobs }) => jobs)]);
  return Object.fromEntries(lists) as Partial<Record<Group, MonthJobs[]>>;
}

async function forgetMonths(queues: Queues, months: MonthJobs[]): Promise<void> {
  for (const { load, extract } of months) {
    await forget(queues, load);
    await forget(queues, extract);
  }
}

/** Notes the follow-up in months that another request brought: a retry of a failed one asks for it again. */
async function noteFollowUp(queues: Queues, months: MonthJobs[], andThen: FollowUp): Promise<void> {
  for (const { load } of months) {
    const job = await findJob(queues, load);
    const data = job?.data as LoadMonthData | undefined;
    if (job && data && data.andThen !== andThen) await job.updateData({ ...data, andThen });
  }
}
