import { Queue, Worker } from 'bullmq';
import type { WorkerOptions } from 'bullmq';
import type { Logger } from 'pino';
import { deliveryWaitMs } from '../../pipelines/watches/deliver.ts';
import type { ScanReport } from '../../pipelines/watches/scan.ts';
import type { WatchRef } from '../../warehouse/live/watch-messages.ts';
import { queueConnection } from './queues.ts';
import { collectAccounts, openDeliveries, type DeliveryDeps } from './watch-deliveries.ts';

/** Queue of scans. It is separate from the other queues: a slow receiver must not delay any other job. */
const SCANS = 'watch-scans';

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

export type WatchWorkDeps = Omit<DeliveryDeps, 'waitMs' | 'workerOptions'> & {
  /** `requestDelivery` requests the delivery of the messages of these watches. */
  scan: (requestDelivery: RequestDelivery) => Promise<ScanReport | undefined>;
  /** Yields, in batches, the watches that have messages. The accounts of these watches then get a job. */
  pending: () => AsyncIterable<WatchRef[]>;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  timing?: Partial<WatchTiming>;
};

export type RequestDelivery = (watches: WatchRef[]) => Promise<void>;

/** Settings for jobs of killed workers: such a job runs again within 20 s. */
const STALL_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000,
} satisfies Partial<WorkerOptions>;

/** Starts the scans and deliveries of watches in this process. All workers of a Redis share the work. */
export async function startWatchWork(
  redisUrl: string,
  deps: WatchWorkDeps,
): Promise<{ close: (deadlineMs: number) => Promise<void> }> {
  const { log } = deps;
  const timing = { ...TIMING, ...deps.timing };
  const connection = queueConnection(redisUrl);
  const scans = new Queue(SCANS, { connection }).on('error', () => undefined);
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
      .catch((err: unknown) =>
        log.warn({ err }, 'could not check the schedule of watch scans; will check again'),
      );
  }, REGISTER_CHECK_MS).unref();
  const deliveries = openDeliveries(connection, {
    ...deps,
    waitMs: timing.waitMs,
    workerOptions: STALL_OPTIONS,
  });
  const recover = createRecovery(deps, deliveries.recover, timing);
  const runAndRecover = async () => {
    const accounts = collectAccounts(deliveries.request);
    try {
      await runScan(deps, accounts.add);
    } finally {
      await accounts.flush();
      await recover();
    }
  };
  const scanWorker = new Worker(SCANS, runAndRecover, { connection, ...STALL_OPTIONS });
  scanWorker.on('failed', (_job, err) => log.warn({ err }, 'watches not scanned'));
  scanWorker.on('error', (err) => log.warn({ queue: SCANS, err }, 'queue unreachable'));
  await Promise.all([scanWorker.waitUntilReady(), deliveries.ready]);
  return {
    close: async (deadlineMs) => {
      clearInterval(timer);
      const closed = Promise.all([scanWorker.close(), deliveries.close()]);
      const deadline = new Promise((resolve) => {
        setTimeout(resolve, deadlineMs).unref();
      });
      await Promise.race([closed, deadline]);
      await Promise.all([scanWorker.disconnect(), scans.disconnect(), deliveries.disconnect()]);
    },
  };
}

/**
 * Returns a function that requests missing jobs. A message has no job if the process that recorded the message was
 * killed, or if Redis lost the job.
 */
function createRecovery(
  { pending }: WatchWorkDeps,
  request: (accounts: string[]) => Promise<void>,
  { recoverEveryMs }: WatchTiming,
) {
  let lastAt = -recoverEveryMs;
  return async () => {
    if (performance.now() - lastAt < recoverEveryMs) return;
    const accounts = new Set<string>();
    for await (const watches of pending()) {
      for (const { account } of watches) accounts.add(account);
    }
    await request([...accounts]);
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
