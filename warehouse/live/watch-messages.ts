import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { watchKeys, type NotifiedScore, type Watch } from './watches.ts';

export type WatchRef = Pick<Watch, 'id' | 'account'>;

/** A message to the address of a watch. */
export type WatchMessage = {
  /** Id of the message. It is the same in every attempt, so that receivers can detect duplicates. */
  id: string;
  /** When the change was found (ISO). */
  at: string;
  type: string;
  data: Record<string, unknown>;
};

/** An attempt to deliver a message. */
export type DeliveryAttempt = {
  /** Id of the message. */
  id: string;
  /** ISO. */
  at: string;
  /**
   * `delivered`: the receiver answered 2xx. `failed`: another attempt follows. `dropped`: this was the last attempt.
   */
  outcome: 'delivered' | 'failed' | 'dropped';
  /** Reason of a failure. */
  reason?: string;
};

/** When the oldest message of a watch is tried again after failed attempts. */
export type Retry = {
  /** Number of failed attempts. */
  attempts: number;
  /** In ms since 1970. */
  dueMs: number;
};

/** A change of a watched score. `known` is the score that was last sent to the caller. `current` is the new score. */
export type WatchChange = {
  watch: Pick<Watch, 'id'>;
  known: NotifiedScore;
  current: NotifiedScore;
  message: WatchMessage;
};

const RECORD = readFileSync(new URL('record-change.lua', import.meta.url), 'utf8');
const END = readFileSync(new URL('end-message.lua', import.meta.url), 'utf8');

/** Number of attempts that are stored for each watch. */
const MAX_ATTEMPTS = 50;
/**
 * Attempts expire a month after the last attempt. This also removes the attempts of a watch that was deleted during an
 * attempt.
 */
const ATTEMPTS_KEPT_S = 30 * 24 * 3_600;
/**
 * Retries expire after this time. Messages are retried for a shorter time. The expiry also removes the retries of
 * deleted watches.
 */
const RETRIES_KEPT_S = 2 * 24 * 3_600;
/** Number of entries to read at a time. Redis serves other clients in between. */
const BATCH = 500;

/**
 * Records changes and puts their messages into the outboxes. Returns the ids of the watches whose change was recorded.
 * A watch is missing in the result if it was deleted or if another scan recorded its change first.
 */
export async function recordChanges(
  redis: Pick<Redis, 'eval'>,
  changes: readonly WatchChange[],
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { all, notified, pending, outbox } = watchKeys;
  const keys = [all, notified, pending, ...changes.map(({ watch }) => outbox(watch.id))];
  const args = changes.flatMap(({ watch, known, current, message }) => [
    watch.id,
    ...[known, current, message].map((part) => JSON.stringify(part)),
  ]);
  return (await redis.eval(RECORD, keys.length, ...keys, ...args)) as string[];
}

/** Reads the oldest message in the outbox of a watch; undefined if the outbox is empty. */
export async function readOldestMessage(
  redis: Pick<Redis, 'lindex'>,
  id: string,
): Promise<WatchMessage | undefined> {
  return parseMessage(await redis.lindex(watchKeys.outbox(id), 0));
}

/**
 * Removes a message that needs no further attempt, and records its last attempt. Returns the next message; undefined if
 * there is none.
 */
export async function endMessage(
  redis: Pick<Redis, 'eval'>,
  { id, account }: WatchRef,
  message: WatchMessage,
  attempt: DeliveryAttempt,
): Promise<WatchMessage | undefined> {
  const { outbox, pending, deliveries, retries } = watchKeys;
  const keys = [outbox(id), pending, deliveries(id), retries(account)];
  const args = [JSON.stringify(message), id, JSON.stringify(attempt)];
  const next = await redis.eval(END, keys.length, ...keys, ...args, MAX_ATTEMPTS, ATTEMPTS_KEPT_S);
  return parseMessage(next as string | null);
}

/** Reads the ids of the account's watches with undelivered messages. */
export async function readPendingOf(
  redis: Pick<Redis, 'sinter'>,
  account: string,
): Promise<string[]> {
  return redis.sinter(watchKeys.pending, watchKeys.ofAccount(account));
}

/** Reads the retries of an account, by the id of the watch. A watch without a retry can be tried at once. */
export async function readRetries(
  redis: Pick<Redis, 'hgetall'>,
  account: string,
): Promise<Map<string, Retry>> {
  const texts = await redis.hgetall(watchKeys.retries(account));
  return new Map(Object.entries(texts).map(([id, text]) => [id, JSON.parse(text) as Retry]));
}

/** Sets when the oldest message of a watch is tried again. */
export async function saveRetry(
  redis: Pick<Redis, 'hset' | 'expire'>,
  { id, account }: WatchRef,
  retry: Retry,
): Promise<void> {
  const key = watchKeys.retries(account);
  await Promise.all([
    redis.hset(key, id, JSON.stringify(retry)),
    redis.expire(key, RETRIES_KEPT_S),
  ]);
}

/** Records an attempt. */
export async function recordAttempt(
  redis: Pick<Redis, 'multi'>,
  id: string,
  attempt: DeliveryAttempt,
): Promise<void> {
  const key = watchKeys.deliveries(id);
  await redis
    .multi()
    .lpush(key, JSON.stringify(attempt))
    .ltrim(key, 0, MAX_ATTEMPTS - 1)
    .expire(key, ATTEMPTS_KEPT_S)
    .exec();
}

/** Reads the attempts of a watch, newest first. */
export async function readAttempts(
  redis: Pick<Redis, 'lrange'>,
  id: string,
): Promise<DeliveryAttempt[]> {
  const texts = await redis.lrange(watchKeys.deliveries(id), 0, -1);
  return texts.map((text) => JSON.parse(text) as DeliveryAttempt);
}

/** Yields the watches with undelivered messages in batches. A watch may appear twice. */
export async function* scanPendingWatches(
  redis: Pick<Redis, 'sscan' | 'hmget'>,
): AsyncGenerator<Watch[]> {
  let cursor = '0';
  do {
    const [next, ids] = await redis.sscan(watchKeys.pending, cursor, 'COUNT', BATCH);
    const texts = ids.length === 0 ? [] : await redis.hmget(watchKeys.all, ...ids);
    yield texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Watch]));
    cursor = next;
  } while (cursor !== '0');
}

/** Counts the watches with undelivered messages. */
export async function countPendingWatches(redis: Pick<Redis, 'scard'>): Promise<number> {
  return redis.scard(watchKeys.pending);
}

/** Counts the undelivered messages of each watch, in the order of the ids. */
export async function countPending(
  redis: Pick<Redis, 'llen'>,
  ids: readonly string[],
): Promise<number[]> {
  return Promise.all(ids.map((id) => redis.llen(watchKeys.outbox(id))));
}

function parseMessage(text: string | null): WatchMessage | undefined {
  return text === null ? undefined : (JSON.parse(text) as WatchMessage);
}
