import { Worker } from 'bullmq';
import type { Job, WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { executeOperatorRequest } from './operator-requests.ts';
import { requestBackfill } from './backfill-jobs.ts';
import { acknowledgeIncidents } from '../../warehouse/live/incidents.ts';
import type { JobWatch } from '../watch/incidents-of-jobs.ts';
import { handleJob, type HandlerDeps } from './handlers.ts';
import { workerName } from './connected-workers.ts';
import type { DiskWatch } from '../processes/disk-space.ts';
import { gateByDisk } from './disk-gate.ts';
import { jobId } from './job-id.ts';
import { runJobOf } from './job-state.ts';
import type { BackfillRequest } from './month-jobs.ts';
import { outageWaitMs } from './retry.ts';
import { withJournal } from '../processes/job-journal.ts';
import {
  LIVE_CONCURRENCY,
  QUEUE_NAMES,
  limitQueues,
  openQueues,
  queueConnection,
  type QueueName,
  type Queues,
} from './queues.ts';
import type { JobEndListener } from './job-metrics.ts';
import { renewStore } from './renew-store.ts';
import { markEnded, markRegistered } from './schedule-marks.ts';
import { changeSchedule, currentSchedules, hasSettings, saveSettings } from './schedule-changes.ts';
import { registerSchedules, type Schedule } from './schedules.ts';
import type { ScheduleChange } from '../../api/schemas/operations.ts';
import { coalesceBy } from '../../warehouse/ground/load-once.ts';

export type Workers = {
  /**
   * Takes no more jobs and waits for running jobs, at most `deadlineMs`. Returns whether all running jobs have ended.
   * An unfinished job runs again in another worker once the job's lock expires.
   */
  close: (deadlineMs: number) => Promise<boolean>;
};

export type WorkerDeps = HandlerDeps & {
  log: Logger;
  /** Called after each attempt at a job in this worker, for metrics. */
  onJobEnd?: JobEndListener;
  /** Notified of each job that succeeded or finally failed. */
  watch?: Pick<JobWatch, 'done' | 'failed'>;
  /**
   * The schedules with the times of this process's settings. If absent, this worker does not record how the jobs of
   * schedules end.
   */
  schedules?: readonly Schedule[];
  /** Whether this worker has the settings of the service and therefore registers the schedules. */
  isService?: boolean;
  /** Watches the disk for jobs that write files. If absent, disk space is not checked. */
  disk?: DiskWatch;
  /** The Redis that stores the marks of schedules and the incidents. If absent, nothing is stored. */
  redis?: Pick<
    Redis,
    'get' | 'hset' | 'hsetnx' | 'hget' | 'hgetall' | 'hdel' | 'hkeys' | 'hvals' | 'eval'
  >;
};

/**
 * Settings for jobs of killed workers. The lock of a killed worker expires after at most 10 s, and another worker
 * notices this within 5 s more. The job thus runs again within 20 s.
 */
const STALL_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  // Number of workers that a job may lose. A killed worker is rarely the job's fault. A job that kills its worker each
  // time, for example by a memory limit, fails within minutes.
  maxStalledCount: 10,
} satisfies Partial<WorkerOptions>;

/** Time between two checks that Redis still has the schedules. */
const REGISTER_CHECK_MS = 30_000;
/**
 * For each queue, the number of jobs that one worker runs at the same time. With two extracts, one can download while
 * the other reads. The steps read one file at a time, because DuckDB already uses every core.
 */
const CONCURRENCY: Record<QueueName, number> = {
  extract: 2,
  warehouse: 1,
  live: LIVE_CONCURRENCY,
};

/** Starts the workers of all queues. */
export async function startWorkers(redisUrl: string, options: WorkerDeps): Promise<Workers> {
  const queues = openQueues(redisUrl);
  const deps: WorkerDeps = { ...options, queues, ...requestFunctions(queues, options) };
  await limitQueues(queues);
  const registering = deps.isService ? await keepRegistered(queues, deps) : undefined;
  if (deps.redis) await renewStore(queues, deps.redis, deps.log);
  const workers = QUEUE_NAMES.map((name) => startWorker(name, redisUrl, deps));
  for (const worker of workers) trackEnds(worker, deps);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  deps.log.info({ queues: QUEUE_NAMES }, 'worker ready');
  return {
    close: async (deadlineMs) => {
      clearInterval(registering);
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => true);
      const isClean = await Promise.race([closed, resolveAfter(deadlineMs, false)]);
      if (!isClean) await Promise.all(workers.map((worker) => worker.disconnect()));
      await queues.close();
      return isClean;
    },
  };
}

/**
 * Registers the schedules of the service with the changes that operators made. Registers them again within half
 * a minute after Redis lost them. Returns the timer.
 */
async function keepRegistered(
  queues: Queues,
  { redis, schedules = [], log }: WorkerDeps,
): Promise<NodeJS.Timeout | undefined> {
  if (!redis) {
    await registerSchedules(queues, schedules);
    return undefined;
  }
  const register = async () => {
    await saveSettings(redis, schedules);
    await registerSchedules(queues, await currentSchedules(redis, schedules));
    await markRegistered(redis, schedules, new Date());
  };
  await register();
  const renew = async () => {
    if (!(await hasSettings(redis))) {
      await limitQueues(queues);
      await register();
      log.warn('Redis had lost the schedules; they are registered again');
      return;
    }
    const missing = await registerSchedules(queues, await currentSchedules(redis, schedules));
    if (missing.length > 0) log.warn({ missing }, 'missing schedules registered again');
  };
  return setInterval(() => {
    renew().catch((err: unknown) => log.warn({ err }, 'schedules not checked'));
  }, REGISTER_CHECK_MS).unref();
}

/** Returns the functions that request months and execute operators' requests, if this worker has sources of months. */
function requestFunctions(
  queues: Queues,
  { monthSources, redis, schedules = [] }: WorkerDeps,
): Pick<WorkerDeps, 'requestMonths' | 'executeOperatorRequest'> {
  if (!monthSources) return {};
  const { lockFile, flights } = monthSources;
  const requestMonths = (request: BackfillRequest) => requestBackfill(queues, request, lockFile);
  const acknowledge = async (at: string) => redis && acknowledgeIncidents(redis, at);
  const now = () => new Date();
  const applyChange = async (change: ScheduleChange, by: string) =>
    redis && changeSchedule(change, by, { queues, redis, schedules, now });
  const operatorDeps = {
    queues,
    requestMonths,
    flights,
    acknowledge,
    changeSchedule: applyChange,
  };
  return {
    requestMonths,
    executeOperatorRequest: (request) => executeOperatorRequest(request, operatorDeps),
  };
}

function startWorker(name: QueueName, redisUrl: string, deps: WorkerDeps): Worker {
  const { log } = deps;
  const work = (job: Job) =>
    withJournal(runJobOf(job, name), () => {
      log.info('job started');
      return handleJob(job, deps);
    });
  // Equal live jobs share a run, no matter whether they were scheduled or requested.
  const shared = coalesceBy((job: Job) => jobId(job.name, job.data as object), work);
  const sharedGated = gateByDisk(shared, deps);
  const runLive = (job: Job, token?: string) =>
    // Only backups wait for disk space. Other live jobs write almost nothing, and must run even if the disk is full.
    job.name === 'backup' ? sharedGated(job, token) : shared(job);
  const run = name === 'live' ? runLive : gateByDisk(work, deps);
  const worker = new Worker(name, run, {
    name: workerName(),
    connection: queueConnection(redisUrl),
    concurrency: CONCURRENCY[name],
    settings: { backoffStrategy: (attempts, _type, error) => outageWaitMs(attempts, error) },
    ...STALL_OPTIONS,
  });
  worker.on('error', (error) => log.warn({ queue: name, err: error }, 'queue unreachable'));
  worker.on('stalled', (job) =>
    log.warn({ queue: name, job }, 'a job runs again, because its worker no longer responds'),
  );
  worker.on('completed', (job, result: unknown) => {
    const ms = durationMs(job);
    deps.onJobEnd?.(job.name, 'done', ms / 1000);
    const facts = { queue: name, job: job.id, ms };
    // Log the report, because the ledger does not contain reports of live data and nothing else shows which feeds
    // failed.
    log.info(name === 'live' ? { ...facts, report: result } : facts, 'job done');
    deps.watch?.done(job, result);
  });
  worker.on('failed', (job, error) => {
    const facts = { queue: name, job: job?.id, attempt: job?.attemptsMade, err: error };
    const isFinal = job?.finishedOn !== undefined;
    if (job) deps.onJobEnd?.(job.name, isFinal ? 'failed' : 'retried', durationMs(job) / 1000);
    if (job && isFinal) deps.watch?.failed(job, error);
    if (isFinal) log.error(facts, 'job failed');
    else log.warn(facts, 'job will be retried');
  });
  return worker;
}

/** Records the outcomes of the schedules' jobs. */
function trackEnds(worker: Worker, { schedules = [], redis, log }: WorkerDeps): void {
  if (!redis) return;
  const mark = (name: string, outcome: { isOk: boolean; text?: string }) => {
    const ended = schedules.filter(({ job }) => job === name);
    markEnded(redis, ended, outcome, new Date()).catch((err: unknown) => {
      log.warn({ job: name, err }, 'the outcome of a scheduled job was not recorded');
    });
  };
  worker.on('completed', ({ name }, result: unknown) => {
    const text = (result as { summary?: unknown } | null)?.summary;
    mark(name, { isOk: true, ...(typeof text === 'string' && { text }) });
  });
  worker.on('failed', (job, error) => {
    if (job?.finishedOn !== undefined) mark(job.name, { isOk: false, text: error.message });
  });
}

/** Returns the duration of the attempt in ms. */
function durationMs({ processedOn }: Job): number {
  return processedOn === undefined ? 0 : Date.now() - processedOn;
}

async function resolveAfter<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), ms).unref();
  });
}
