import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { watchKeys, type NotifiedScore, type Watch } from './watches.ts';

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

/** A change of a watched score. `known` is the score that the caller was sent last, `current` the new score. */
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

/** Removes a message that needs no further attempt, and returns the next message; undefined if there is none. */
export async function endMessage(
  redis: Pick<Redis, 'eval'>,
  id: string,
  message: WatchMessage,
): Promise<WatchMessage | undefined> {
  const keys = [watchKeys.outbox(id), watchKeys.pending];
  const next = await redis.eval(END, keys.length, ...keys, JSON.stringify(message), id);
  return parseMessage(next as string | null);
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

/** Reads id and account of each watch with undelivered messages. */
export async function readPendingWatches(
  redis: Pick<Redis, 'smembers' | 'hmget'>,
): Promise<Pick<Watch, 'id' | 'account'>[]> {
  const ids = await redis.smembers(watchKeys.pending);
  if (ids.length === 0) return [];
  const texts = await redis.hmget(watchKeys.all, ...ids);
  return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Watch]));
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
