import { DelayedError, Worker } from 'bullmq';
import type { Job, WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { act } from './ask-as-operator.ts';
import { requestBackfill } from './backfill-jobs.ts';
import { acknowledgeIncidents } from '../../warehouse/live/incidents.ts';
import type { JobWatch } from '../watch/incidents-of-jobs.ts';
import { handle, type HandlerDeps } from './handlers.ts';
import { workerName } from './connected.ts';
import { jobId } from './job-id.ts';
import type { BackfillRequest } from './month-jobs.ts';
import { outageWaitMs } from './retry.ts';
import { joined } from '../processes/one-at-a-time.ts';
import {
  LIVE_CONCURRENCY,
  QUEUE_NAMES,
  limitQueues,
  openQueues,
  queueConnection,
} from './queues.ts';
import type { JobProgress, QueueName, Queues } from './queues.ts';
import type { JobEnded } from './job-metrics.ts';
import { renewStore } from './renew-store.ts';
import { markKept, markSucceeded } from './schedule-marks.ts';
import { keepSchedules } from './schedules.ts';
import type { Schedule } from './schedules.ts';

export type Workers = {
  /**
   * Takes no more jobs and waits for those under way, `deadlineMs` at most; says whether all came to their end.
   * One that did not loses its connection and, once its lock runs out, runs again in another worker.
   */
  close: (deadlineMs: number) => Promise<boolean>;
};

export type WorkerDeps = HandlerDeps & {
  log: Logger;
  /** Told of each attempt at a job that ended here, where metrics are kept. */
  jobEnded?: JobEnded;
  /** Told of each job that ended for good. */
  watch?: Pick<JobWatch, 'done' | 'failed'>;
  /** What comes by itself from now on; absent, nothing is changed. */
  schedules?: readonly Schedule[];
  /** Says when the disk has too little room for jobs that write files; absent: it has enough. */
  shortOfRoom?: () => Promise<string | undefined>;
  /** Where it is noted how schedules fare and what is not well; absent: nowhere. */
  redis?: Pick<Redis, 'get' | 'hset' | 'hsetnx' | 'hget' | 'hgetall' | 'hvals' | 'eval'>;
};

/**
 * How a job survives its worker: the lock of a killed worker runs out after at most 10 s,
 * another worker sees that within 5 s more, so the job runs again within 20 s.
 */
const STALL_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  // Being killed is seldom the job's fault; one that takes its worker down each time, as by a cap on memory, ends in minutes.
  maxStalledCount: 10,
} satisfies Partial<WorkerOptions>;

/** How soon it is looked again whether the disk has room. */
const ROOM_RETRY_MS = 60_000;

/**
 * Jobs of a queue under way at once in one worker. Of two extracts one downloads while the other is read: the steps
 * read one file at a time, for DuckDB uses every core already.
 */
const CONCURRENCY: Record<QueueName, number> = {
  extract: 2,
  warehouse: 1,
  live: LIVE_CONCURRENCY,
};

/** Works off all queues. */
export async function startWorkers(redisUrl: string, given: WorkerDeps): Promise<Workers> {
  const queues = openQueues(redisUrl);
  const deps: WorkerDeps = { ...given, queues, ...asking(queues, given) };
  await limitQueues(queues);
  await keepSchedules(queues, deps.schedules ?? []);
  if (deps.redis) {
    await markKept(deps.redis, deps.schedules ?? [], new Date());
    await renewStore(queues, deps.redis, deps.log);
  }
  const workers = QUEUE_NAMES.map((name) => startWorker(name, redisUrl, deps));
  for (const worker of workers) markDone(worker, deps);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  deps.log.info({ queues: QUEUE_NAMES }, 'worker ready');
  return {
    close: async (deadlineMs) => {
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => true);
      const isClean = await Promise.race([closed, afterwards(deadlineMs, false)]);
      if (!isClean) await Promise.all(workers.map((worker) => worker.disconnect()));
      await queues.close();
      return isClean;
    },
  };
}

/** How months, and what operators want, are asked for; nothing where no place of months is known. */
function asking(queues: Queues, { places, redis }: WorkerDeps): Pick<WorkerDeps, 'ask' | 'act'> {
  if (!places) return {};
  const { lockFile, flights } = places;
  const ask = (request: BackfillRequest) => requestBackfill(queues, request, lockFile);
  const acknowledge = async (at: string) => redis && acknowledgeIncidents(redis, at);
  return { ask, act: (asked) => act(asked, { queues, ask, flights, acknowledge }) };
}

function startWorker(name: QueueName, redisUrl: string, deps: WorkerDeps): Worker {
  const { log } = deps;
  // What a step says names its job, as the lines about the job do.
  const work = (job: Job) => handle(job, { ...deps, log: log.child({ queue: name, job: job.id }) });
  // A live job shares the run of an equal one, scheduled or requested. A job with other parameters runs by itself.
  const run =
    name === 'live'
      ? joined(({ name, data }: Job) => jobId(name, data as object), work)
      : whenThereIsRoom(work, deps);
  const worker = new Worker(name, run, {
    name: workerName(),
    connection: queueConnection(redisUrl),
    concurrency: CONCURRENCY[name],
    settings: { backoffStrategy: (attempts, _type, error) => outageWaitMs(attempts, error) },
    ...STALL_OPTIONS,
  });
  worker.on('error', (error) => log.warn({ queue: name, err: error }, 'queue away'));
  worker.on('active', (job) => log.info({ queue: name, job: job.id }, 'job started'));
  worker.on('stalled', (job) => log.warn({ queue: name, job }, 'job of a lost worker runs again'));
  worker.on('completed', (job, result: unknown) => {
    const ms = tookMs(job);
    deps.jobEnded?.(job.name, 'done', ms / 1000);
    const facts = { queue: name, job: job.id, ms };
    // No ledger has the reports of live inputs: which feeds failed is told here alone.
    log.info(name === 'live' ? { ...facts, report: result } : facts, 'job done');
    deps.watch?.done(job, result);
  });
  worker.on('failed', (job, error) => {
    const facts = { queue: name, job: job?.id, attempt: job?.attemptsMade, err: error };
    const isFinal = job?.finishedOn !== undefined;
    if (job) deps.jobEnded?.(job.name, isFinal ? 'failed' : 'retried', tookMs(job) / 1000);
    if (job && isFinal) deps.watch?.failed(job, error);
    if (isFinal) log.error(facts, 'job failed');
    else log.warn(facts, 'job will be tried again');
  });
  return worker;
}

/** Work that begins with room on the disk: without, the job waits and keeps its attempts. */
function whenThereIsRoom(work: (job: Job) => Promise<unknown>, { shortOfRoom, log }: WorkerDeps) {
  return async (job: Job, token?: string) => {
    const short = await shortOfRoom?.();
    if (short === undefined) return work(job);
    log.warn({ job: job.id }, `${short}: the job waits`);
    const told: JobProgress = { done: 0, total: 1, what: `waiting: ${short}` };
    await job.updateProgress(told);
    await job.moveToDelayed(Date.now() + ROOM_RETRY_MS, token);
    throw new DelayedError();
  };
}

/** Remembers when what a schedule asks for came to a good end. */
function markDone(worker: Worker, { schedules = [], redis, log }: WorkerDeps): void {
  if (!redis) return;
  worker.on('completed', ({ name }) => {
    const asking = schedules.filter(({ job }) => job === name);
    markSucceeded(redis, asking, new Date()).catch((err: unknown) => {
      log.warn({ job: name, err }, 'success of a schedule not noted');
    });
  });
}

/** How long the attempt took, in ms. */
function tookMs({ processedOn }: Job): number {
  return processedOn === undefined ? 0 : Date.now() - processedOn;
}

async function afterwards<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), ms).unref();
  });
}
