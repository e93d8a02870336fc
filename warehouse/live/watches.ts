import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/**
 * The watches in Redis, shared by worker and API.
 *
 * | Redis key | type | content |
 * |---|---|---|
 * | `hw:watches` | hash | id: the watch as JSON |
 * | `hw:watches:notified` | hash | id: the score that the caller knows, as JSON |
 * | `hw:watches:pending` | set | ids of the watches with messages that are not delivered yet |
 * | `hw:watches:secrets` | hash | account: the secret that signs its messages |
 * | `hw:watches:of:<account>` | set | ids of the account's watches |
 * | `hw:watches:retries:<account>` | hash | id: when the oldest message of the watch is tried again, as JSON |
 * | `hw:watch:<id>:outbox` | list | messages that are not delivered yet, oldest first |
 * | `hw:watch:<id>:deliveries` | list | attempts of the last messages, newest first |
 */
export const watchKeys = {
  all: 'hw:watches',
  notified: 'hw:watches:notified',
  pending: 'hw:watches:pending',
  secrets: 'hw:watches:secrets',
  ofAccount: (account: string) => `hw:watches:of:${account}`,
  retries: (account: string) => `hw:watches:retries:${account}`,
  outbox: (id: string) => `hw:watch:${id}:outbox`,
  deliveries: (id: string) => `hw:watch:${id}:deliveries`,
};

/** Maximum number of watches of an account. */
export const WATCHES_PER_ACCOUNT = 1_000;

/** A flight with the field names of the HTTP interface. */
export type WatchedFlight = {
  origin: string;
  dest: string;
  airline: string;
  date: string;
  /** Local departure time, `HH:MM`. */
  dep_time?: string | undefined;
  /** The flight number that the caller gave, and the month of the schedule in which it was found. */
  flight_number?: string | undefined;
  schedule_month?: string | undefined;
};

/** A flight whose changed scores are sent to an address. A watch never changes after its creation. */
export type Watch = {
  id: string;
  /** Hash of the key that created the watch. */
  keyHash: string;
  /** Hash of the account's first key. All keys of the account can see the watch. */
  account: string;
  flight: WatchedFlight;
  url: string;
  /** Minimum change of the score, in points, that causes a message. */
  points: number;
  /** Whether a change of the band causes a message even if the score changes less. */
  hasBand: boolean;
  /** ISO. */
  createdAt: string;
};

/** A score that was sent to the caller. */
export type NotifiedScore = {
  score: number;
  label: string;
  /** Time (ISO) at which the score was computed. */
  at: string;
};

const ID_BYTES = 8;

/** Creates the id of a watch. */
export function createWatchId(): string {
  return `watch_${randomBytes(ID_BYTES).toString('hex')}`;
}

const SECRET_BYTES = 24;

/** The score of a flight that the API would return now. */
export type CurrentScore = Omit<NotifiedScore, 'at'> & { storeVersion: string };

/** Creates a secret in the format of Standard Webhooks. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

const ADD = readFileSync(new URL('add-watch.lua', import.meta.url), 'utf8');
const REMOVE = readFileSync(new URL('remove-watch.lua', import.meta.url), 'utf8');

/**
 * Stores a watch and the score that the caller knows. If the account has no secret yet, `secret` becomes its secret.
 * Returns the account's secret, which signs its messages. Undefined if the account already has `limit` watches.
 */
export async function addWatch(
  redis: Pick<Redis, 'eval'>,
  watch: Watch,
  { known, secret, limit }: { known: NotifiedScore; secret: string; limit: number },
): Promise<string | undefined> {
  const { all, notified, secrets, ofAccount } = watchKeys;
  const keys = [all, notified, secrets, ofAccount(watch.account)];
  const args = [watch.id, JSON.stringify(watch), JSON.stringify(known), watch.account, secret];
  const reply = await redis.eval(ADD, keys.length, ...keys, ...args, limit);
  return (reply as string | null) ?? undefined;
}

/** Deletes a watch and its messages. Returns false if the watch does not exist. */
export async function removeWatch(
  redis: Pick<Redis, 'eval'>,
  { id, account }: Pick<Watch, 'id' | 'account'>,
): Promise<boolean> {
  const { all, notified, pending, secrets, ofAccount, outbox, deliveries } = watchKeys;
  const keys = [all, notified, pending, secrets, ofAccount(account), outbox(id), deliveries(id)];
  return (await redis.eval(REMOVE, keys.length, ...keys, id, account)) === 1;
}

/** Reads a watch; undefined if it does not exist. */
export async function readWatch(
  redis: Pick<Redis, 'hget'>,
  id: string,
): Promise<Watch | undefined> {
  const text = await redis.hget(watchKeys.all, id);
  return text === null ? undefined : (JSON.parse(text) as Watch);
}

/** Reads the watches of an account, oldest first. */
export async function readAccountWatches(
  redis: Pick<Redis, 'smembers' | 'hmget'>,
  account: string,
): Promise<Watch[]> {
  const ids = await redis.smembers(watchKeys.ofAccount(account));
  if (ids.length === 0) return [];
  const texts = await redis.hmget(watchKeys.all, ...ids);
  return texts
    .flatMap((text) => (text === null ? [] : [JSON.parse(text) as Watch]))
    .toSorted(compareWatches);
}

/** Compares the positions of two watches in the list of an account. */
export function compareWatches(
  a: Pick<Watch, 'id' | 'createdAt'>,
  b: Pick<Watch, 'id' | 'createdAt'>,
): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}

/** Reads the secret of an account; undefined if the account has no watch. */
export async function readSecret(
  redis: Pick<Redis, 'hget'>,
  account: string,
): Promise<string | undefined> {
  return (await redis.hget(watchKeys.secrets, account)) ?? undefined;
}

/** Reads the scores that were last sent to callers, in the order of the ids. */
export async function readNotified(
  redis: Pick<Redis, 'hmget'>,
  ids: readonly string[],
): Promise<(NotifiedScore | undefined)[]> {
  if (ids.length === 0) return [];
  const texts = await redis.hmget(watchKeys.notified, ...ids);
  return texts.map((text) => (text === null ? undefined : (JSON.parse(text) as NotifiedScore)));
}

/** Counts all watches. */
export async function countWatches(redis: Pick<Redis, 'hlen'>): Promise<number> {
  return redis.hlen(watchKeys.all);
}

/** Number of watches that are read at once. */
const BATCH = 1_000;

/** Yields all watches in batches, each watch once. */
export async function* scanWatches(redis: Pick<Redis, 'hscan'>): AsyncGenerator<Watch[]> {
  const seen = new Set<string>();
  let cursor = '0';
  do {
    const [next, fields] = await redis.hscan(watchKeys.all, cursor, 'COUNT', BATCH);
    const watches: Watch[] = [];
    for (let at = 0; at < fields.length; at += 2) {
      const id = fields[at] ?? '';
      // A scan may return an entry twice.
      if (seen.has(id)) continue;
      seen.add(id);
      watches.push(JSON.parse(fields[at + 1] ?? '') as Watch);
    }
    yield watches;
    cursor = next;
  } while (cursor !== '0');
}
