import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { DeliveryAttempt, WatchMessage } from '../../warehouse/live/watch-messages.ts';
import type { Watch } from '../../warehouse/live/watches.ts';
import { ReceiverError, type GuardedPost } from './guarded-post.ts';
import { messageBody, signedHeaders } from './signed-message.ts';

/** A message was not accepted. A later attempt may succeed. */
export class DeliveryError extends Error {
  readonly isFinal = false;
  override readonly name = 'DeliveryError';
}

export type DeliverDeps = {
  readWatch: (id: string) => Promise<Watch | undefined>;
  readSecret: (account: string) => Promise<string | undefined>;
  oldestMessage: (id: string) => Promise<WatchMessage | undefined>;
  /** Removes a message that needs no further attempt, and returns the next message. */
  endMessage: (id: string, message: WatchMessage) => Promise<WatchMessage | undefined>;
  recordAttempt: (id: string, attempt: DeliveryAttempt) => Promise<void>;
  removeWatch: (watch: Watch) => Promise<unknown>;
  /**
   * Counts a call for the key. If the verdict of the result is `admitted`, its `keyHash` is the key that was charged.
   */
  charge: (
    keyHash: string,
    at: Date,
  ) => Promise<{ verdict: 'admitted' | 'over' | 'invalid'; keyHash?: string }>;
  refund: (keyHash: string, at: Date) => Promise<void>;
  post: GuardedPost;
  now: () => Date;
};

/** Messages of one delivery. */
export type DeliveryReport = { delivered: number; dropped: number };

/** Time for which a message is retried. */
const RETRY_MS = DAY_MS;
/** A receiver that answers with this status wants no more messages, as Standard Webhooks specifies. */
const GONE = 410;

/**
 * Sends the messages of a watch, oldest first. Throws a `DeliveryError` if the receiver does not accept a message; the
 * next call begins with the same message, so the order is kept. An accepted message is charged as one call. Drops
 * messages after a day.
 */
export async function deliverMessages(id: string, deps: DeliverDeps): Promise<DeliveryReport> {
  const report: DeliveryReport = { delivered: 0, dropped: 0 };
  const watch = await deps.readWatch(id);
  const secret = watch && (await deps.readSecret(watch.account));
  if (!watch || secret === undefined) return report;
  let message = await deps.oldestMessage(id);
  while (message) {
    const outcome = await deliverOne(watch, secret, message, deps);
    if (outcome === 'removed') return report;
    report[outcome] += 1;
    message = await deps.endMessage(id, message);
  }
  return report;
}

async function deliverOne(
  watch: Watch,
  secret: string,
  message: WatchMessage,
  deps: DeliverDeps,
): Promise<'delivered' | 'dropped' | 'removed'> {
  const at = deps.now();
  const record = (outcome: DeliveryAttempt['outcome'], reason?: string) =>
    deps.recordAttempt(watch.id, {
      ...{ id: message.id, at: at.toISOString(), outcome },
      ...(reason !== undefined && { reason }),
    });
  const fail = async (reason: string): Promise<never> => {
    await record('failed', reason);
    throw new DeliveryError(reason);
  };
  if (at.getTime() - Date.parse(message.at) > RETRY_MS) {
    await record('dropped', 'not accepted within a day');
    return 'dropped';
  }
  const charged = await deps.charge(watch.keyHash, at);
  if (charged.verdict === 'over') return fail('the monthly limit of calls is reached');
  if (charged.keyHash === undefined) {
    await deps.removeWatch(watch);
    return 'removed';
  }
  const result = await send(watch.url, secret, message, deps);
  if (result === 'accepted') {
    await record('delivered');
    return 'delivered';
  }
  await deps.refund(charged.keyHash, at);
  if (result === 'gone') {
    await deps.removeWatch(watch);
    return 'removed';
  }
  return fail(result.reason);
}

async function send(
  url: string,
  secret: string,
  message: WatchMessage,
  { post, now }: Pick<DeliverDeps, 'post' | 'now'>,
): Promise<'accepted' | 'gone' | { reason: string }> {
  const body = messageBody(message);
  const headers = signedHeaders(secret, { id: message.id, body, at: now() });
  try {
    const { status } = await post(url, { headers, body });
    if (status >= 200 && status < 300) return 'accepted';
    return status === GONE ? 'gone' : { reason: `the receiver answered ${status}` };
  } catch (error) {
    if (error instanceof ReceiverError) return { reason: error.message };
    throw error;
  }
}

const FIRST_WAIT_MS = 10_000;
/** Waits of 10, 30, 90 seconds and so on, up to an hour. */
const GROWTH = 3;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Returns the wait after the n-th failed attempt in ms, shortened by up to a half so that deliveries do not all retry
 * at once.
 */
export function deliveryWaitMs(attempts: number, random: () => number = Math.random): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** (attempts - 1));
  return Math.round(wait * (1 - random() / 2));
}
