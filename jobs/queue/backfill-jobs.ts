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
import { findJob, type JobRef, type Queues } from './queues.ts';
import { removeFinished, isUnderWay } from './requests.ts';
import { JOB_OPTIONS } from './retry.ts';

export type BackfillJobs = {
  /**
   * The job that waits for all months and then starts the follow-up. This job also waits for months that other requests
   * added.
   */
  parent: JobRef;
  months: MonthJobs[];
};

/** Data of the parent job. */
export type BackfillData = {
  /** Number of months. */
  months: number;
  /** Ids of the load jobs that the parent waits for. Some of these jobs may have been added by other requests. */
  loads: string[];
  kind?: BackfillRequest['kind'];
  andThen?: FollowUp;
};

const LOCK_PATIENCE_MS = 30_000;

/**
 * Requests months as a flow of jobs: one parent for all months, and an extract and a load for each month. If a month is
 * already under way with the same source and `force`, adds no jobs for this month, but the parent waits for it too.
 * Follows an unfinished backfill only if all parameters are equal. The lock stops two commands from checking and adding
 * jobs at the same time.
 */
export async function requestBackfill(
  queues: Queues,
  request: BackfillRequest,
  lockFile: string,
): Promise<BackfillJobs> {
  return withLock(lockFile, LOCK_PATIENCE_MS, async () => {
    const parent = parentRef(request);
    const months = request.months.map((month) => monthJobs(month, request));
    const isFollowed = await followBackfill(queues, parent, months, request);
    if (!isFollowed) await addBackfill(queues, parent, months, request);
    return { parent, months };
  });
}

async function addBackfill(
  queues: Queues,
  parent: JobRef,
  months: MonthJobs[],
  request: BackfillRequest,
): Promise<void> {
  const { missing = [], running = [] } = await groupMonths(months, async (jobs) =>
    (await isUnderWay(queues, jobs)) ? 'running' : 'missing',
  );
  await removeFinishedMonths(queues, missing);
  await removeFinished(queues, parent);
  const loads = months.map(({ load }) => load.id);
  await queues.flows.add({
    name: 'backfill',
    queueName: parent.queue,
    data: { ...request, months: months.length, loads } satisfies BackfillData,
    opts: { ...JOB_OPTIONS, jobId: parent.id },
    children: missing.map((jobs) => monthFlow(jobs, request)),
  });
  if (request.andThen) await recordFollowUp(queues, running, request.andThen);
  if (!(await isOrphan(queues, parent))) return;
  await removeParent(queues, parent);
  await addBackfill(queues, parent, months, request);
}

/**
 * Follows the unfinished backfill with this id if one of its months is under way; otherwise returns false. Loaded
 * months keep their results. Failed or removed months are added again, and the parent waits for them.
 */
async function followBackfill(
  queues: Queues,
  parent: JobRef,
  months: MonthJobs[],
  request: BackfillRequest,
): Promise<boolean> {
  if (!(await isUnfinishedParent(queues, parent))) return false;
  const { missing = [], running = [] } = await groupMonths(months, async (jobs) => {
    if (await isUnderWay(queues, jobs)) return 'running';
    const state = await queues.queue(jobs.load.queue).getJobState(jobs.load.id);
    return state === 'completed' ? 'loaded' : 'missing';
  });
  if (running.length === 0 || (await isOrphan(queues, parent))) {
    if (await removeParent(queues, parent)) return false;
    // A worker has started the parent after the check above.
    return followBackfill(queues, parent, months, request);
  }
  if (missing.length === 0) return true;
  await removeFinishedMonths(queues, missing);
  await queues.flows.addBulk(missing.map((jobs) => monthFlow(jobs, request)));
  // The parent may have counted its months before these months were added. If so, the caller adds a new parent.
  return isUnfinishedParent(queues, parent);
}

async function groupMonths<Group extends string>(
  months: MonthJobs[],
  groupOf: (jobs: MonthJobs) => Promise<Group>,
): Promise<Partial<Record<Group, MonthJobs[]>>> {
  const entries: { jobs: MonthJobs; group: Group }[] = [];
  for (const jobs of months) entries.push({ jobs, group: await groupOf(jobs) });
  const groups = Map.groupBy(entries, ({ group }) => group);
  const lists = [...groups].map(([group, members]) => [group, members.map(({ jobs }) => jobs)]);
  return Object.fromEntries(lists) as Partial<Record<Group, MonthJobs[]>>;
}

async function removeFinishedMonths(queues: Queues, months: MonthJobs[]): Promise<void> {
  for (const { load, extract } of months) {
    await removeFinished(queues, load);
    await removeFinished(queues, extract);
  }
}

/**
 * Adds the follow-up to the jobs of months that another request added. If one of these months fails, its retry then
 * starts the follow-up.
 */
async function recordFollowUp(
  queues: Queues,
  months: MonthJobs[],
  andThen: FollowUp,
): Promise<void> {
  for (const { load } of months) {
    const job = await findJob(queues, load);
    const data = job?.data as LoadMonthData | undefined;
    if (job && data && data.andThen !== andThen) await job.updateData({ ...data, andThen });
  }
}
