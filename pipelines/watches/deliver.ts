import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { DeliveryAttempt, WatchMessage } from '../../warehouse/live/watch-messages.ts';
import type { Watch } from '../../warehouse/live/watches.ts';
import { ReceiverError, type GuardedPost } from './guarded-post.ts';
import { messageBody, signedHeaders } from './signed-message.ts';

/** A message was not accepted. A later attempt may succeed. */
export class DeliveryError extends Error {
  readonly isFinal = false;
  override readonly name = 'DeliveryError';
  /** The time for which the receiver wants no request; 0 if the receiver does not name a time. */
  readonly retryAfterMs: number;

  constructor(reason: string, retryAfterMs: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

export type DeliverDeps = {
  readWatch: (id: string) => Promise<Watch | undefined>;
  /** Reads the secret of the watch's account. */
  readSecret: () => Promise<string | undefined>;
  oldestMessage: (id: string) => Promise<WatchMessage | undefined>;
  /** Removes a message after its last attempt, and returns the next message. */
  endMessage: (
    watch: Watch,
    message: WatchMessage,
    attempt: DeliveryAttempt,
  ) => Promise<WatchMessage | undefined>;
  recordAttempt: (id: string, attempt: DeliveryAttempt) => Promise<void>;
  removeWatch: (watch: Watch) => Promise<unknown>;
  /**
   * Counts a call for the key or, if it is inactive, for the key that replaced it. `keyHash` of the result identifies
   * the key for which the call was counted; absent unless the verdict is `admitted`.
   */
  charge: (
    keyHash: string,
    at: Date,
  ) => Promise<{ verdict: 'admitted' | 'over' | 'invalid'; keyHash?: string }>;
  refund: (keyHash: string, at: Date) => Promise<void>;
  post: GuardedPost;
  now: () => Date;
};

/** The last attempt at a message. */
type LastAttempt = DeliveryAttempt & { outcome: 'delivered' | 'dropped' };

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
  const [watch, secret, oldest] = await Promise.all([
    deps.readWatch(id),
    deps.readSecret(),
    deps.oldestMessage(id),
  ]);
  if (!watch || secret === undefined) return report;
  let message = oldest;
  while (message) {
    const attempt = await deliverOne(watch, secret, message, deps);
    if (attempt === 'removed') return report;
    report[attempt.outcome] += 1;
    message = await deps.endMessage(watch, message, attempt);
  }
  return report;
}

async function deliverOne(
  watch: Watch,
  secret: string,
  message: WatchMessage,
  deps: DeliverDeps,
): Promise<LastAttempt | 'removed'> {
  const at = deps.now();
  const shared = { id: message.id, at: at.toISOString() };
  const fail = async (reason: string, retryAfterMs = 0): Promise<never> => {
    await deps.recordAttempt(watch.id, { ...shared, outcome: 'failed', reason });
    throw new DeliveryError(reason, retryAfterMs);
  };
  if (at.getTime() - Date.parse(message.at) > RETRY_MS) {
    return { ...shared, outcome: 'dropped', reason: 'not accepted within a day' };
  }
  const charged = await deps.charge(watch.keyHash, at);
  if (charged.verdict === 'over') return fail('the monthly limit of calls is reached');
  if (charged.keyHash === undefined) {
    await deps.removeWatch(watch);
    return 'removed';
  }
  const result = await send(watch.url, secret, message, deps);
  if (result === 'accepted') return { ...shared, outcome: 'delivered' };
  await deps.refund(charged.keyHash, at);
  if (result === 'gone') {
    await deps.removeWatch(watch);
    return 'removed';
  }
  return fail(result.reason, result.retryAfterMs);
}

async function send(
  url: string,
  secret: string,
  message: WatchMessage,
  { post, now }: Pick<DeliverDeps, 'post' | 'now'>,
): Promise<'accepted' | 'gone' | { reason: string; retryAfterMs: number }> {
  const body = messageBody(message);
  const headers = signedHeaders(secret, { id: message.id, body, at: now() });
  try {
    const { status, retryAfterMs = 0 } = await post(url, { headers, body });
    if (status >= 200 && status < 300) return 'accepted';
    return status === GONE ? 'gone' : { reason: `the receiver answered ${status}`, retryAfterMs };
  } catch (error) {
    if (error instanceof ReceiverError) return { reason: error.message, retryAfterMs: 0 };
    throw error;
  }
}

const FIRST_WAIT_MS = 10_000;
/** Waits of 10, 30, 90 seconds and so on, up to an hour. */
const GROWTH = 3;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Returns the wait in ms after the n-th failed attempt. Each wait is shortened by a random part of up to a half, so
 * that deliveries do not all retry at once.
 */
export function deliveryWaitMs(attempts: number, random: () => number = Math.random): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** (attempts - 1));
  return Math.round(wait * (1 - random() / 2));
}

/** Returns the time in ms for which a receiver wants no request, at most an hour; 0 for other failures. */
export function requestedWaitMs(error: unknown): number {
  return error instanceof DeliveryError ? Math.min(LONGEST_WAIT_MS, error.retryAfterMs) : 0;
}
