import { randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import type { OpsAction } from '../../api/schemas/operations.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import { jobId } from './job-id.ts';
import { JOB_OPTIONS, LIVE_JOB_OPTIONS, MONTH_JOB_OPTIONS } from './retry.ts';
import type { ExtractFileData, JobRef, LoadMonthsData, Queues } from './queues.ts';

/** The two jobs one flight file makes: extract feeds load. */
export type FileJobs = { extract: JobRef; load: JobRef };

/** What an operator asks for, and in whose name. */
export type AskedData = OpsAction & { by: string };

export type JustQueues = Pick<Queues, 'queue'>;

/** Digits of its sha256 that a file is known by. */
const FILE_HASH_LENGTH = 12;

/** The ids of the jobs of a file: the start of its hash, and every option. */
export function fileJobs({
  sha256,
  ...options
}: Omit<ExtractFileData, 'path' | 'parts'>): FileJobs {
  const id = (job: string) => jobId(`${job}-file-${sha256.slice(0, FILE_HASH_LENGTH)}`, options);
  return {
    extract: { queue: 'extract', id: id('extract') },
    load: { queue: 'warehouse', id: id('load') },
  };
}

/** Asks for a file to be extracted and loaded; joins the jobs of the same file that are not finished. */
export async function requestFile(queues: Queues, file: ExtractFileData): Promise<FileJobs> {
  // Its hash stands for the content, wherever it lies.
  const { path: _path, parts: _parts, ...identity } = file;
  const jobs = fileJobs(identity);
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

type StepName = 'build-features' | 'train' | 'publish' | 'rebuild' | 'nightly';

/** Parameters of a step; `after` names the job of the queue it comes after, and only tells requests apart. */
type StepData = TrainRequest & { after?: string };

/**
 * Requests a step on the warehouse queue; joins an equal job that waits or runs. The queue does one job at a time, so a running
 * job has everything that was loaded. A publish that runs is not joined: the model may have been pinned since it began.
 */
export async function requestStep(
  queues: JustQueues,
  name: StepName,
  data: StepData = {},
): Promise<JobRef> {
  const ref: JobRef = { queue: 'warehouse', id: jobId(name, data) };
  const isRunning = (await queues.queue(ref.queue).getJobState(ref.id)) === 'active';
  if (isRunning && name === 'publish') return requestStep(queues, name, { ...data, after: ref.id });
  return addOnce(queues, ref, name, data);
}

/** Asks for a look at what came out; joins one that waits or runs. */
export async function requestLook(queues: JustQueues): Promise<JobRef> {
  const name = 'look-for-months';
  return addOnce(queues, { queue: 'extract', id: name }, name, {}, MONTH_JOB_OPTIONS);
}

/**
 * Passes an operator's request to a worker, which has the settings: it makes the request and writes it to the ledger with the
 * operator's name. Each press is a job; equal presses of one operator share a run while it lasts.
 */
export async function requestAsked(queues: JustQueues, data: AskedData): Promise<JobRef> {
  const ref: JobRef = { queue: 'live', id: `asked-${data.kind}-${randomUUID()}` };
  await queues.queue(ref.queue).add('asked', data, { ...JOB_OPTIONS, jobId: ref.id });
  return ref;
}

/** Requests fresh live inputs; joins an equal job that waits or runs, requested or scheduled. */
export async function requestLive(
  queues: JustQueues,
  name: 'refresh-weather' | 'refresh-news' | 'refresh-nas',
): Promise<JobRef> {
  const identity = jobId(name);
  const active = await queues.queue('live').getActive();
  const running = active.find((job) => jobId(job.name, job.data as object) === identity);
  // It may end meanwhile: then what it brought is as new as can be.
  if (running?.id !== undefined) return { queue: 'live', id: running.id };
  return addOnce(queues, { queue: 'live', id: identity }, name, {}, LIVE_JOB_OPTIONS);
}

/** Adds the job unless one of its id is unfinished; a finished one makes room for it. */
export async function addOnce(
  queues: JustQueues,
  ref: JobRef,
  name: string,
  data: object,
  options: JobsOptions = JOB_OPTIONS,
): Promise<JobRef> {
  if (await isUnfinished(queues, ref)) return ref;
  await forget(queues, ref);
  await queues.queue(ref.queue).add(name, data, { ...options, jobId: ref.id });
  return ref;
}

/** Whether the job exists and has not come to its end. */
export async function isUnfinished(queues: JustQueues, { queue, id }: JobRef): Promise<boolean> {
  const state = await queues.queue(queue).getJobState(id);
  return state !== 'completed' && state !== 'failed' && state !== 'unknown';
}

/**
 * Whether a load can be joined. One whose extract failed cannot: it fails with the next worker that looks at it, and is removed where
 * none has, as it would be in the way of another try.
 */
export async function isUnderWay(
  queues: JustQueues,
  { extract, load }: FileJobs,
): Promise<boolean> {
  if (!(await isUnfinished(queues, load))) return false;
  if ((await queues.queue(extract.queue).getJobState(extract.id)) !== 'failed') return true;
  await queues.queue(load.queue).remove(load.id);
  return false;
}

/** Removes a finished job: BullMQ takes it for the same request, and adding it again would do nothing. */
export async function forget(queues: JustQueues, ref: JobRef): Promise<void> {
  const state = await queues.queue(ref.queue).getJobState(ref.id);
  if (state === 'completed' || state === 'failed') await queues.queue(ref.queue).remove(ref.id);
}
