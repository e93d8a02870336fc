import { DelayedError, Queue, Worker } from 'bullmq';
import type { Job, WorkerOptions } from 'bullmq';
import type { Logger } from 'pino';
import {
  DeliveryError,
  deliveryWaitMs,
  type DeliveryReport,
} from '../../pipelines/watches/deliver.ts';
import type { ScanReport } from '../../pipelines/watches/scan.ts';
import type { Watch } from '../../warehouse/live/watches.ts';
import { createAccountSlots, type DeliveryOutcome } from './account-slots.ts';
import { queueConnection } from './queues.ts';

/** Queues of watches. They are separate from the other queues: a slow receiver must not delay any other job. */
const SCANS = 'watch-scans';
const DELIVERIES = 'watch-deliveries';

/** Called after each delivery. */
export type RecordDelivery = (outcome: 'delivered' | 'dropped' | 'failed', count: number) => void;

export type WatchTiming = {
  /** Time between two scans. A scan of unchanged data ends at once. */
  scanEveryMs: number;
  /** Time between two searches for messages without a job. */
  recoverEveryMs: number;
  /** Wait after the n-th failed attempt at a delivery. */
  waitMs: (attempts: number) => number;
};

const TIMING: WatchTiming = {
  scanEveryMs: 15_000,
  recoverEveryMs: 30_000,
  waitMs: (attempts) => deliveryWaitMs(attempts),
};
/** Time between two checks that Redis still has the schedule of the scans. */
const REGISTER_CHECK_MS = 30_000;
/** Deliveries that one worker runs at a time. A delivery mostly waits for its receiver. */
const CONCURRENCY = 300;
/** Jobs that are added at a time. */
const BATCH = 1_000;

export type WatchWorkDeps = {
  /** `requestDelivery` requests the delivery of the messages of these watches. */
  scan: (requestDelivery: RequestDelivery) => Promise<ScanReport | undefined>;
  /** Sends the messages of a watch. */
  deliver: (id: string) => Promise<DeliveryReport>;
  /** Yields the watches with undelivered messages. Each watch then gets a job. */
  pending: () => Promise<WatchRef[]>;
  /** Called after each delivery, for metrics. */
  onDelivery?: RecordDelivery;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  timing?: Partial<WatchTiming>;
};

export type WatchRef = Pick<Watch, 'id' | 'account'>;
export type RequestDelivery = (watches: WatchRef[]) => Promise<void>;

/** Settings for jobs of killed workers: such a delivery runs again within 20 s. */
const STALL_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000,
} satisfies Partial<WorkerOptions>;

/** Attempts are practically unlimited, because messages are dropped after a day. */
const JOB_OPTIONS = {
  attempts: 1_000_000,
  backoff: { type: 'watch' },
  removeOnComplete: true,
  removeOnFail: true,
  // Do not log the error: the history of the watch has the reasons of failures.
  stackTraceLimit: 1,
} as const;

/** Starts the scans and deliveries of watches in this process. All workers of a Redis share the work. */
export async function startWatchWork(
  redisUrl: string,
  deps: WatchWorkDeps,
): Promise<{ close: (deadlineMs: number) => Promise<void> }> {
  const { log } = deps;
  const timing = { ...TIMING, ...deps.timing };
  const connection = queueConnection(redisUrl);
  const scans = new Queue(SCANS, { connection }).on('error', () => undefined);
  const deliveries = new Queue(DELIVERIES, { connection }).on('error', () => undefined);
  const requestDelivery: RequestDelivery = async (watches) => {
    for (let from = 0; from < watches.length; from += BATCH) {
      const batch = watches.slice(from, from + BATCH);
      // A watch has one job at a time, so its messages stay in order.
      await deliveries.addBulk(
        batch.map(({ id, account }) => ({
          name: 'deliver',
          data: { account },
          opts: { ...JOB_OPTIONS, jobId: id },
        })),
      );
    }
  };
  const register = async () => {
    await scans.setGlobalConcurrency(1);
    const template = { name: 'scan', opts: { removeOnComplete: true, removeOnFail: true } };
    await scans.upsertJobScheduler('scan', { every: timing.scanEveryMs }, template);
  };
  await register();
  const timer = setInterval(() => {
    scans
      .getJobScheduler('scan')
      .then((scheduler) => (scheduler ? undefined : register()))
      .catch((err: unknown) => log.warn({ err }, 'schedule of watches not checked'));
  }, REGISTER_CHECK_MS).unref();
  const recover = createRecovery(deps, requestDelivery, timing);
  const runAndRecover = async () => {
    try {
      await runScan(deps, requestDelivery);
    } finally {
      await recover();
    }
  };
  const scanWorker = new Worker(SCANS, runAndRecover, {
    connection,
    ...STALL_OPTIONS,
  });
  const deliveryWorker = startDeliveries(connection, deps, timing);
  const workers = [scanWorker, deliveryWorker];
  for (const worker of workers) {
    worker.on('error', (err) => log.warn({ queue: worker.name, err }, 'queue unreachable'));
  }
  scanWorker.on('failed', (_job, err) => log.warn({ err }, 'watches not scanned'));
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  return {
    close: async (deadlineMs) => {
      clearInterval(timer);
      const closed = Promise.all(workers.map((worker) => worker.close()));
      const deadline = new Promise((resolve) => {
        setTimeout(resolve, deadlineMs).unref();
      });
      await Promise.race([closed, deadline]);
      await Promise.all([...workers, scans, deliveries].map((part) => part.disconnect()));
    },
  };
}

/**
 * Returns a function that requests missing jobs. A message has no job if it was recorded while the job of its watch
 * ended.
 */
function createRecovery(
  { pending }: WatchWorkDeps,
  requestDelivery: RequestDelivery,
  { recoverEveryMs }: WatchTiming,
) {
  let lastAt = -recoverEveryMs;
  return async () => {
    if (performance.now() - lastAt < recoverEveryMs) return;
    await requestDelivery(await pending());
    lastAt = performance.now();
  };
}

async function runScan(
  { scan, log }: WatchWorkDeps,
  requestDelivery: RequestDelivery,
): Promise<void> {
  const startedAt = performance.now();
  const report = await scan(requestDelivery);
  if (!report) return;
  const ms = Math.round(performance.now() - startedAt);
  const level = report.changes + report.removed > 0 ? 'info' : 'debug';
  log[level]({ ...report, ms }, 'watches scanned');
}

function startDeliveries(
  connection: ReturnType<typeof queueConnection>,
  { deliver, onDelivery, log }: WatchWorkDeps,
  { waitMs }: WatchTiming,
): Worker {
  const slots = createAccountSlots();
  const run = async (job: Job<{ account: string }>, token?: string) => {
    const { account } = job.data;
    const slotWaitMs = slots.take(account);
    if (slotWaitMs > 0) {
      await job.moveToDelayed(Date.now() + slotWaitMs, token);
      throw new DelayedError();
    }
    let outcome: DeliveryOutcome = 'failed';
    try {
      const { delivered, dropped } = await deliver(job.id ?? '');
      outcome = 'accepted';
      onDelivery?.('delivered', delivered);
      onDelivery?.('dropped', dropped);
    } catch (error) {
      if (error instanceof DeliveryError) onDelivery?.('failed', 1);
      throw error;
    } finally {
      slots.release(account, outcome);
    }
  };
  const worker = new Worker<{ account: string }>(DELIVERIES, run, {
    connection,
    concurrency: CONCURRENCY,
    settings: { backoffStrategy: waitMs },
    ...STALL_OPTIONS,
  });
  worker.on('failed', (job, error) => {
    // Do not report failures to operators: receivers belong to callers, who see the failures in the history of the
    // watch.
    if (error instanceof DeliveryError) log.debug({ watch: job?.id, err: error }, 'not delivered');
    else log.warn({ watch: job?.id, err: error }, 'delivery failed');
  });
  return worker;
}
