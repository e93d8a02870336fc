import { randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import type { OpsAction } from '../../api/schemas/operations.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import { jobId } from './job-id.ts';
import { JOB_OPTIONS, LIVE_JOB_OPTIONS, SEARCH_JOB_OPTIONS } from './retry.ts';
import type { ExtractFileData, JobRef, LoadMonthsData, Queues } from './queues.ts';

/** The extract job and the load job of a flight file. The load job uses the result of the extract job. */
export type FileJobs = { extract: JobRef; load: JobRef };

/** An operator's action, and the name of the operator. */
export type OperatorRequest = OpsAction & { by: string };

export type QueueAccess = Pick<Queues, 'queue'>;
export type RequestQueues = Pick<Queues, 'queue' | 'flows'>;

/** Hexadecimal digits of a file's sha256 in the ids of its jobs. */
const FILE_HASH_LENGTH = 12;

/** Returns the jobs of a file. The ids of the jobs contain the start of the file's sha256 and a hash of the options. */
export function fileJobs({
  sha256,
  ...options
}: Omit<ExtractFileData, 'path' | 'parts' | 'inbox'>): FileJobs {
  const id = (job: string) => jobId(`${job}-file-${sha256.slice(0, FILE_HASH_LENGTH)}`, options);
  return {
    extract: { queue: 'extract', id: id('extract') },
    load: { queue: 'warehouse', id: id('load') },
  };
}

/**
 * Requests that a file is extracted and loaded. Follows unfinished jobs of the same file instead of adding new ones.
 */
export async function requestFile(queues: RequestQueues, file: ExtractFileData): Promise<FileJobs> {
  // The id contains the hash of the content instead of the path of the file.
  const { path: _path, parts: _parts, inbox: _inbox, ...identity } = file;
  const jobs = fileJobs(identity);
  if (await isUnderWay(queues, jobs)) return jobs;
  await removeFinished(queues, jobs.load);
  await removeFinished(queues, jobs.extract);
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
        // Lets the load fail if its extract fails. Otherwise the load would wait forever.
        opts: { ...JOB_OPTIONS, jobId: jobs.extract.id, failParentOnFailure: true },
      },
    ],
  });
  return jobs;
}

type StepName =
  | 'build-features'
  | 'train'
  | 'publish'
  | 'rebuild'
  | 'nightly'
  | 'restore-drill'
  | 'record'
  | 'snapshot';

/** Parameters of a step. `after`, the id of the preceding job, only makes the id of the request unique. */
type StepData = TrainRequest & { after?: string };

/**
 * Requests a step on the warehouse queue. Follows an equal job that waits or runs: the queue runs one job at a time, so
 * a running job sees all loaded months. A running publish is not followed, because a model may have been pinned since
 * it began.
 */
export async function requestStep(
  queues: QueueAccess,
  name: StepName,
  data: StepData = {},
): Promise<JobRef> {
  const ref: JobRef = { queue: 'warehouse', id: jobId(name, data) };
  const isRunning = (await queues.queue(ref.queue).getJobState(ref.id)) === 'active';
  if (isRunning && name === 'publish') return requestStep(queues, name, { ...data, after: ref.id });
  return addOnce(queues, ref, name, data);
}

/** Requests a search for new months. Follows a search that waits or runs. */
export async function requestMonthSearch(queues: QueueAccess): Promise<JobRef> {
  const name = 'look-for-months';
  return addOnce(queues, { queue: 'extract', id: name }, name, {}, SEARCH_JOB_OPTIONS);
}

/**
 * Queues an operator's request for a worker, which executes it and records it in the ledger with the operator's name.
 * Each request is a separate job. Equal requests of one operator share a run while that run lasts.
 */
export async function queueOperatorRequest(
  queues: QueueAccess,
  data: OperatorRequest,
): Promise<JobRef> {
  const ref: JobRef = { queue: 'live', id: `request-${data.kind}-${randomUUID()}` };
  await queues.queue(ref.queue).add('request', data, { ...JOB_OPTIONS, jobId: ref.id });
  return ref;
}

/**
 * Requests a refresh of live data. Follows an equal job that waits or runs, no matter whether that job was requested or
 * scheduled.
 */
export async function requestLive(
  queues: QueueAccess,
  name: 'refresh-weather' | 'refresh-news' | 'refresh-nas',
): Promise<JobRef> {
  const identity = jobId(name);
  const active = await queues.queue('live').getActive();
  const running = active.find((job) => jobId(job.name, job.data as object) === identity);
  // The running job may end before the caller follows it. The data of a job that has just ended is fresh enough too.
  if (running?.id !== undefined) return { queue: 'live', id: running.id };
  return addOnce(queues, { queue: 'live', id: identity }, name, {}, LIVE_JOB_OPTIONS);
}

/** Adds the job unless an unfinished job has the same id. Removes a finished job with the same id first. */
export async function addOnce(
  queues: QueueAccess,
  ref: JobRef,
  name: string,
  data: object,
  options: JobsOptions = JOB_OPTIONS,
): Promise<JobRef> {
  if (await isUnfinished(queues, ref)) return ref;
  await removeFinished(queues, ref);
  await queues.queue(ref.queue).add(name, data, { ...options, jobId: ref.id });
  return ref;
}

/** Whether the job exists and has not ended. */
export async function isUnfinished(queues: QueueAccess, { queue, id }: JobRef): Promise<boolean> {
  const state = await queues.queue(queue).getJobState(id);
  return state !== 'completed' && state !== 'failed' && state !== 'unknown';
}

/**
 * Returns whether a load can be followed. If the extract of a load has failed, the load fails too, as soon as a worker
 * takes it. Until then, the load would block another attempt, so this function removes the load and returns false.
 */
export async function isUnderWay(
  queues: QueueAccess,
  { extract, load }: FileJobs,
): Promise<boolean> {
  if (!(await isUnfinished(queues, load))) return false;
  if ((await queues.queue(extract.queue).getJobState(extract.id)) !== 'failed') return true;
  await queues.queue(load.queue).remove(load.id);
  return false;
}

/** Removes a finished job. While the finished job exists, BullMQ ignores a new job with the same id. */
export async function removeFinished(queues: QueueAccess, ref: JobRef): Promise<void> {
  const state = await queues.queue(ref.queue).getJobState(ref.id);
  if (state === 'completed' || state === 'failed') await queues.queue(ref.queue).remove(ref.id);
}
