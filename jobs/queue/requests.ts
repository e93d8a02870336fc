import { randomUUID } from 'node:crypto';
import type { OpsAction } from '../../api/schemas/operations.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import { JOB_OPTIONS, LIVE_JOB_OPTIONS, MONTH_JOB_OPTIONS } from './retry.ts';
import type { ExtractFileData, JobRef, LoadMonthsData, Queues } from './queues.ts';

/** The two jobs one flight file makes: extract feeds load. */
export type FileJobs = { extract: JobRef; load: JobRef };

/** What an operator asks for, and in whose name. */
export type AskedData = OpsAction & { by: string };

const HASH_LENGTH = 12;

/** The ids of the jobs of a file: of its content, and of what else was asked for. */
export function fileJobs({ sha256, year, force }: Omit<ExtractFileData, 'path'>): FileJobs {
  const asked = [sha256.slice(0, HASH_LENGTH), year, force === true ? 'force' : undefined];
  const suffix = asked.filter((part) => part !== undefined).join('-');
  return {
    extract: { queue: 'extract', id: `extract-file-${suffix}` },
    load: { queue: 'warehouse', id: `load-file-${suffix}` },
  };
}

/** Asks for a file to be extracted and loaded; joins the jobs of the same file that are not finished. */
export async function requestFile(queues: Queues, file: ExtractFileData): Promise<FileJobs> {
  const jobs = fileJobs(file);
  if (await isUnderWay(queues, jobs)) return jobs;
  await forget(queues, jobs.load);
  await forget(queues, jobs.extract);
  const load: LoadMonthsData = { sha256: file.sha256 };
  await queues.flows.add({
    name: 'load-months',
    queueName: jobs.load.queue,
    data: load,
    opts: { ...JOB_OPTIONS, jobId: jobs.load.id },
    children: [
      {
        name: 'extract-file',
        queueName: jobs.extract.queue,
        data: file,
        // A file that cannot be read ends its load too, instead of leaving it waiting for ever.
        opts: { ...JOB_OPTIONS, jobId: jobs.extract.id, failParentOnFailure: true },
      },
    ],
  });
  return jobs;
}

/**
 * Asks for a step on the warehouse queue; joins the same job that waits or runs.
 * Joining one that runs misses nothing: the queue does one job at a time, so whatever was loaded was loaded before it began.
 */
export async function requestStep(
  queues: Queues,
  name: 'build-features' | 'train' | 'publish' | 'rebuild' | 'nightly',
  data: TrainRequest = {},
): Promise<JobRef> {
  // What is asked for in other words is another job.
  const id = data.acceptsRegional === true ? `${name}-regional` : name;
  const ref: JobRef = { queue: 'warehouse', id };
  if (!(await isUnfinished(queues, ref))) {
    await forget(queues, ref);
    await queues.queue(ref.queue).add(name, data, { ...JOB_OPTIONS, jobId: ref.id });
  }
  return ref;
}

/** Asks for a look at what came out; joins one that waits or runs. */
export async function requestLook(queues: Queues): Promise<JobRef> {
  const ref: JobRef = { queue: 'extract', id: 'look-for-months' };
  if (!(await isUnfinished(queues, ref))) {
    await forget(queues, ref);
    const opts = { ...MONTH_JOB_OPTIONS, jobId: ref.id };
    await queues.queue(ref.queue).add('look-for-months', {}, opts);
  }
  return ref;
}

/**
 * Passes on what an operator asks for: a worker, which has the settings, asks for it in turn and notes in the ledger who it
 * was. Each time is a job of its own, so that each is in the ledger.
 */
export async function requestAsked(
  queues: Pick<Queues, 'queue'>,
  data: AskedData,
): Promise<JobRef> {
  const ref: JobRef = { queue: 'live', id: `asked-${data.kind}-${randomUUID()}` };
  await queues.queue(ref.queue).add('asked', data, { ...JOB_OPTIONS, jobId: ref.id });
  return ref;
}

/** Asks for a month to be dropped, or for a version of it to be brought back; joins the same request that waits or runs. */
export async function requestUndo(
  queues: Queues,
  request: MonthRef & { version?: string },
): Promise<JobRef> {
  const { month, tree, version } = request;
  const name = version === undefined ? 'drop-month' : 'restore-month';
  const id = [name, tree, month, version].filter((part) => part !== undefined).join('-');
  const ref: JobRef = { queue: 'warehouse', id };
  if (!(await isUnfinished(queues, ref))) {
    await forget(queues, ref);
    await queues.queue(ref.queue).add(name, request, { ...JOB_OPTIONS, jobId: ref.id });
  }
  return ref;
}

/** Asks for live inputs to be refreshed now; joins the same job that waits or runs, by request or by schedule. */
export async function requestLive(
  queues: Queues,
  name: 'refresh-weather' | 'refresh-news' | 'refresh-nas',
): Promise<JobRef> {
  const running = (await queues.queue('live').getActive()).find((job) => job.name === name);
  // It may end meanwhile: then what it brought is as new as can be.
  if (running?.id !== undefined) return { queue: 'live', id: running.id };
  const ref: JobRef = { queue: 'live', id: name };
  if (!(await isUnfinished(queues, ref))) {
    await forget(queues, ref);
    await queues.queue(ref.queue).add(name, {}, { ...LIVE_JOB_OPTIONS, jobId: ref.id });
  }
  return ref;
}

/** Whether the job exists and has not come to its end. */
export async function isUnfinished(
  queues: Pick<Queues, 'queue'>,
  { queue, id }: JobRef,
): Promise<boolean> {
  const state = await queues.queue(queue).getJobState(id);
  return state !== 'completed' && state !== 'failed' && state !== 'unknown';
}

/**
 * Whether a load can be joined. One whose extract failed cannot: it fails with the next worker that looks at it, and is removed where
 * none has, as it would be in the way of another try.
 */
export async function isUnderWay(queues: Queues, { extract, load }: FileJobs): Promise<boolean> {
  if (!(await isUnfinished(queues, load))) return false;
  if ((await queues.queue(extract.queue).getJobState(extract.id)) !== 'failed') return true;
  await queues.queue(load.queue).remove(load.id);
  return false;
}

/** Removes a finished job: BullMQ takes it for the same request, and adding it again would do nothing. */
export async function forget(queues: Pick<Queues, 'queue'>, ref: JobRef): Promise<void> {
  const state = await queues.queue(ref.queue).getJobState(ref.id);
  if (state === 'completed' || state === 'failed') await queues.queue(ref.queue).remove(ref.id);
}
