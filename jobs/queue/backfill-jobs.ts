import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowJob } from 'bullmq';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';
import type { Month } from '../../pipelines/flights/months.ts';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import type { WeatherSource } from '../../pipelines/weather/types.ts';
import { JOB_OPTIONS, MONTH_JOB_OPTIONS } from './retry.ts';
import { withLock } from '../processes/lock.ts';
import { findJob } from './queues.ts';
import type { JobRef, Queues } from './queues.ts';
import { forget, isUnderWay } from './requests.ts';

/** What months are asked for of; absent: flights. */
export type BackfillKind = 'flights' | 'weather';

export type BackfillRequest = {
  kind?: BackfillKind;
  /** Ascending. */
  months: Month[];
  source: MonthSource | WeatherSource;
  force: boolean;
  /** What is to follow once all months have ended. */
  andThen?: 'nightly';
};

/** The two jobs of a month: extract feeds load. */
export type MonthJobs = { month: Month; extract: JobRef; load: JobRef };

export type BackfillJobs = {
  /** The job that waits for all months; undefined when every month was under way already. */
  parent: JobRef | undefined;
  months: MonthJobs[];
  /** Months under way for an earlier request that asked for something else (source or force): that one counts. */
  otherwise: Month[];
};

const LOCK_PATIENCE_MS = 30_000;
const LOOK_MS = 20;

/**
 * Asks for months as a flow of jobs: one parent, and for each month a load with its extract. A month that is under
 * way for anyone is joined, not asked for again; so is a whole back-fill that is not finished. The lock keeps two
 * commands from looking and adding at the same time.
 */
export async function requestBackfill(
  queues: Queues,
  request: BackfillRequest,
  lockFile: string,
): Promise<BackfillJobs> {
  return withLock(lockFile, LOCK_PATIENCE_MS, async () => {
    const parent = parentRef(request);
    const months = request.months.map((month) => monthJobs(month, request.kind));
    const isJoined = (await parentState(queues, parent)) === 'waiting-children';
    const missing = await withoutJobs(queues, months, isJoined);
    const otherwise = await joinedOtherwise(queues, months, missing, request);
    const flows = missing.map((jobs) => monthFlow(jobs, request));
    if (isJoined) {
      // Its jobs were finished too long ago to be kept; the parent has their results and waits for the others.
      await queues.flows.addBulk(flows);
      return { parent, months, otherwise };
    }
    if (flows.length === 0) return { parent: undefined, months, otherwise };
    await queues.queue(parent.queue).remove(parent.id, { removeChildren: false });
    const backfill = {
      name: 'backfill',
      queueName: parent.queue,
      data: { ...request, months: request.months.length },
      opts: { ...JOB_OPTIONS, jobId: parent.id },
      children: flows,
    };
    await queues.flows.add(request.andThen === undefined ? backfill : nightAfter(parent, backfill));
    return { parent, months, otherwise };
  });
}

/** The night that follows a back-fill, of its own id: that of the schedule comes at its time all the same. */
function nightAfterRef({ id }: JobRef): JobRef {
  return { queue: 'warehouse', id: `nightly-after-${id}` };
}

function nightAfter(parent: JobRef, backfill: FlowJob): FlowJob {
  const { queue: queueName, id: jobId } = nightAfterRef(parent);
  const opts = { ...JOB_OPTIONS, jobId, removeOnComplete: true, removeOnFail: true };
  return { name: 'nightly', queueName, data: {}, opts, children: [backfill] };
}

/** The ids of the jobs of a month, the same whoever asks. */
export function monthJobs(month: Month, kind: BackfillKind = 'flights'): MonthJobs {
  return {
    month,
    extract: { queue: 'extract', id: `extract-${kind}-${month}` },
    load: { queue: 'warehouse', id: `load-${kind}-${month}` },
  };
}

function parentRef({ kind, months, source, force }: BackfillRequest): JobRef {
  const how = sha256(JSON.stringify([source, force]));
  return {
    queue: 'extract',
    id: `backfill-${kind === undefined ? '' : `${kind}-`}${months.at(0)}-${months.at(-1)}-${how.slice(0, 8)}`,
  };
}

/** A parent whose months have all ended is about to be done; it only has to get out of the way. */
async function parentState(queues: Queues, { queue, id }: JobRef): Promise<string> {
  for (;;) {
    const state = await queues.queue(queue).getJobState(id);
    if (state !== 'active') return state;
    await sleep(LOOK_MS);
  }
}

/** Months to ask for, their finished jobs forgotten; those of a back-fill that goes on keep their results. */
async function withoutJobs(
  queues: Queues,
  months: MonthJobs[],
  isJoined: boolean,
): Promise<MonthJobs[]> {
  const missing: MonthJobs[] = [];
  for (const jobs of months) {
    const { load, extract } = jobs;
    const isThere = isJoined
      ? (await findJob(queues, load)) !== undefined
      : await isUnderWay(queues, jobs);
    if (isThere) continue;
    await forget(queues, load);
    await forget(queues, extract);
    missing.push(jobs);
  }
  return missing;
}

async function joinedOtherwise(
  queues: Queues,
  months: MonthJobs[],
  missing: MonthJobs[],
  { source, force }: BackfillRequest,
): Promise<Month[]> {
  const otherwise: Month[] = [];
  for (const jobs of months.filter((one) => !missing.includes(one))) {
    const data = (await findJob(queues, jobs.extract))?.data as MonthRequest | undefined;
    if (data === undefined) continue;
    const isSame = JSON.stringify([data.source, data.force]) === JSON.stringify([source, force]);
    if (!isSame) otherwise.push(jobs.month);
  }
  return otherwise;
}

function monthFlow({ month, extract, load }: MonthJobs, request: BackfillRequest) {
  const { kind, source, force } = request;
  const isWeather = kind === 'weather';
  const data = { month, source, force };
  return {
    name: isWeather ? 'load-weather-month' : 'load-month',
    queueName: load.queue,
    data: isWeather ? { month, source } : { month },
    // A month that fails is noted by its parent, which goes on waiting for the others.
    opts: { ...MONTH_JOB_OPTIONS, jobId: load.id, ignoreDependencyOnFailure: true },
    children: [
      {
        name: isWeather ? 'extract-weather-month' : 'extract-month',
        queueName: extract.queue,
        data,
        opts: { ...MONTH_JOB_OPTIONS, jobId: extract.id, failParentOnFailure: true },
      },
    ],
  } satisfies FlowJob;
}
