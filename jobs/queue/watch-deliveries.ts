import { Queue, Worker } from 'bullmq';
import type { ConnectionOptions, Job, WorkerOptions } from 'bullmq';
import type { Logger } from 'pino';
import { DeliveryError, type DeliveryReport } from '../../pipelines/watches/deliver.ts';
import {
  deliverAccount,
  findDue,
  type AccountDeps,
} from '../../pipelines/watches/deliver-account.ts';
import type { WatchRef } from '../../warehouse/live/watch-messages.ts';

const DELIVERIES = 'watch-deliveries';
/** Name of a job that delivers the messages of one account. Version 0.1.0 had a job named `deliver` for each watch. */
const ACCOUNT_JOB = 'deliver-account';

/** Called after each delivery. */
export type RecordDelivery = (outcome: 'delivered' | 'dropped' | 'failed', count: number) => void;

/** The functions with which a job delivers the messages of one account. The job calls `close` when it ends. */
export type AccountWork = Pick<AccountDeps, 'pending' | 'retries' | 'deliver' | 'saveRetry'> & {
  close: () => void;
};

export type DeliveryDeps = {
  openAccount: (account: string) => AccountWork;
  waitMs: (attempts: number) => number;
  /** Called after each delivery, for metrics. */
  onDelivery?: RecordDelivery;
  log: Pick<Logger, 'warn' | 'debug'>;
  workerOptions: Partial<WorkerOptions>;
};

/** Accounts to which one worker delivers at a time. A delivery mostly waits for its receiver. */
const CONCURRENCY = 300;
/** Number of jobs in one batch. Redis does not serve other clients while it adds a batch. */
const BATCH = 50;
/** Minimum time between two requests of a scan. An account with many changes is then requested only a few times. */
const REQUEST_EVERY_MS = 500;

/** Attempts are practically unlimited, because messages are dropped after a day. */
const JOB_OPTIONS = {
  attempts: 1_000_000,
  backoff: { type: 'watch' },
  removeOnComplete: true,
  removeOnFail: true,
  // The history of the watch contains the reasons for failures, so a job stores only one stack trace.
  stackTraceLimit: 1,
} as const;

/**
 * Opens the queue of deliveries. An account has one job at a time. This job delivers the messages of all watches of the
 * account. Therefore the messages of a watch stay in order, and a storm of changes needs few jobs.
 */
export function openDeliveries(connection: ConnectionOptions, deps: DeliveryDeps) {
  const { workerOptions, log } = deps;
  const queue = new Queue<{ account: string }>(DELIVERIES, { connection }).on(
    'error',
    () => undefined,
  );
  const add = async (
    accounts: readonly string[],
    options: { delay?: number; replace: boolean },
  ) => {
    const { delay = 0, replace } = options;
    for (let from = 0; from < accounts.length; from += BATCH) {
      const jobs = accounts.slice(from, from + BATCH).map((account) => ({
        name: ACCOUNT_JOB,
        data: { account },
        // If the job of the account is running, another job follows. If the job waits for a retry, the new job replaces
        // it.
        opts: {
          ...JOB_OPTIONS,
          delay,
          deduplication: { id: account, replace, keepLastIfActive: true },
        },
      }));
      await queue.addBulk(jobs);
    }
  };
  const request = (accounts: readonly string[]) => add(accounts, { replace: true });
  const stopping = new AbortController();
  const run = async ({ name, data: { account } }: Job<{ account: string }>) => {
    if (name !== ACCOUNT_JOB) return request([account]);
    const work = deps.openAccount(account);
    try {
      await deliverAndFollow(work, {
        deps: { ...work, ...accountDeps(deps), signal: stopping.signal },
        request: (delay) => add([account], { delay, replace: true }),
      });
    } finally {
      work.close();
    }
  };
  const worker = new Worker<{ account: string }>(DELIVERIES, run, {
    connection,
    concurrency: CONCURRENCY,
    settings: { backoffStrategy: deps.waitMs },
    ...workerOptions,
  });
  worker.on('error', (err) => log.warn({ queue: DELIVERIES, err }, 'queue unreachable'));
  worker.on('failed', (_job, err) =>
    log.warn({ err }, 'could not deliver the watch messages of an account'),
  );
  return {
    /** Requests the delivery of the messages of these accounts. */
    request,
    /** Requests a job for each account that has no job. Does not change jobs that wait for a retry. */
    recover: (accounts: readonly string[]) => add(accounts, { replace: false }),
    ready: worker.waitUntilReady(),
    close: async () => {
      stopping.abort();
      await worker.close();
    },
    disconnect: async () => {
      await Promise.all([worker.disconnect(), queue.disconnect()]);
    },
  };
}

/** Collects the accounts of changed watches, and requests each account at most twice a second. */
export function collectAccounts(request: (accounts: string[]) => Promise<void>) {
  const accounts = new Set<string>();
  let lastAt = -Infinity;
  const flush = async () => {
    const some = [...accounts];
    accounts.clear();
    if (some.length > 0) await request(some);
    lastAt = performance.now();
  };
  return {
    add: async (watches: readonly WatchRef[]) => {
      for (const { account } of watches) accounts.add(account);
      if (performance.now() - lastAt >= REQUEST_EVERY_MS) await flush();
    },
    flush,
  };
}

/** Delivers the messages of an account. Requests a job that retries the messages that were not accepted. */
async function deliverAndFollow(
  { pending, retries }: AccountWork,
  { deps, request }: { deps: AccountDeps; request: (delayMs: number) => Promise<void> },
): Promise<void> {
  for (;;) {
    const nextMs = await deliverAccount(deps);
    if (nextMs === undefined) return;
    const delayMs = Math.max(0, nextMs - Date.now());
    await request(delayMs);
    // Another message may have been recorded and requested meanwhile. The request above has replaced the request for
    // this message, but must not delay the message. If the message is due, the loop delivers it now.
    if (delayMs === 0 || (await findDue({ pending, retries })).due.length === 0) return;
  }
}

function accountDeps({ waitMs, onDelivery, log }: DeliveryDeps) {
  return {
    waitMs,
    onDelivery: (watch: string, result: DeliveryReport | { error: unknown }) => {
      if ('delivered' in result) {
        onDelivery?.('delivered', result.delivered);
        onDelivery?.('dropped', result.dropped);
        return;
      }
      const { error: err } = result;
      // Receivers belong to callers. The callers see the failures in the history of the watch.
      if (err instanceof DeliveryError) {
        onDelivery?.('failed', 1);
        log.debug({ watch, err }, 'not delivered');
      } else log.warn({ watch, err }, 'delivery failed');
    },
  };
}
