import pLimit from 'p-limit';
import type { Retry } from '../../warehouse/live/watch-messages.ts';
import { requestedWaitMs, type DeliveryReport } from './deliver.ts';

export type AccountDeps = {
  /** Returns the ids of the account's watches with undelivered messages. */
  pending: () => Promise<string[]>;
  /** Returns the retries of the account by the id of the watch. */
  retries: () => Promise<ReadonlyMap<string, Retry>>;
  /** Sends the messages of a watch; throws if the receiver does not accept one. */
  deliver: (id: string) => Promise<DeliveryReport>;
  saveRetry: (id: string, retry: Retry) => Promise<void>;
  /** Returns the wait in ms after the n-th failed attempt. */
  waitMs: (attempts: number) => number;
  onDelivery: (id: string, result: DeliveryReport | { error: unknown }) => void;
  /** Ends early when this signal is aborted. */
  signal: AbortSignal;
};

/** Maximum number of deliveries of an account at a time. */
const PARALLEL = 20;
/**
 * Limit after a failed delivery, until the next success. It is lower than `PARALLEL`. Deliveries therefore remain for
 * other accounts, even if the receivers of many accounts hang.
 */
const PARALLEL_AFTER_FAILURE = 5;
/** Time in ms for one account. After this time, the queue continues with its other accounts. */
const BUDGET_MS = 30_000;

/**
 * Sends all due messages of an account, several watches at a time. Also sends messages that are recorded meanwhile.
 * Returns the time at which the next message is due (ms since 1970); undefined if all messages are delivered. No other
 * process may deliver messages of the account at the same time.
 */
export async function deliverAccount(deps: AccountDeps): Promise<number | undefined> {
  const endMs = Date.now() + BUDGET_MS;
  for (;;) {
    const { due, nextMs } = await findDue(deps);
    if (due.length === 0) return nextMs;
    if (Date.now() >= endMs || deps.signal.aborted) return Date.now();
    await deliverDue(due, endMs, deps);
  }
}

type DueWatch = { id: string; attempts: number };

/** Returns the watches with a due message. Also returns the time at which the next message of another watch is due. */
export async function findDue({
  pending,
  retries,
}: Pick<AccountDeps, 'pending' | 'retries'>): Promise<{
  due: DueWatch[];
  nextMs: number | undefined;
}> {
  const [ids, waiting] = await Promise.all([pending(), retries()]);
  const nowMs = Date.now();
  const due: DueWatch[] = [];
  let nextMs: number | undefined;
  for (const id of ids) {
    const { attempts, dueMs } = waiting.get(id) ?? { attempts: 0, dueMs: 0 };
    if (dueMs <= nowMs) due.push({ id, attempts });
    else nextMs = Math.min(nextMs ?? dueMs, dueMs);
  }
  return { due, nextMs };
}

async function deliverDue(due: DueWatch[], endMs: number, deps: AccountDeps): Promise<void> {
  const limit = pLimit(PARALLEL);
  const deliverOne = async ({ id, attempts }: DueWatch) => {
    if (Date.now() >= endMs || deps.signal.aborted) return;
    let isDone = false;
    let requestedMs = 0;
    try {
      const report = await deps.deliver(id);
      isDone = report.delivered + report.dropped > 0;
      deps.onDelivery(id, report);
    } catch (error) {
      deps.onDelivery(id, { error });
      requestedMs = requestedWaitMs(error);
    }
    limit.concurrency = isDone ? PARALLEL : PARALLEL_AFTER_FAILURE;
    if (isDone) return;
    const failed = attempts + 1;
    const waitMs = Math.max(requestedMs, deps.waitMs(failed));
    await deps.saveRetry(id, { attempts: failed, dueMs: Date.now() + waitMs });
  };
  // Waits for all deliveries. No delivery may still run when another process begins.
  const ends = await Promise.allSettled(due.map((watch) => limit(() => deliverOne(watch))));
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
