import type { Redis } from 'ioredis';
import { KeyRecordError } from './errors.ts';
import { redisKeys } from './layout.ts';

/** The fields of a key as stored in Redis. */
export type StoredKey = Record<string, string>;

/** record.lua has the same rule. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;
const MAX_DIGITS = 15;

/** Number of keys that are read in parallel. */
const BATCH = 200;

/**
 * Reads the fields of a key; undefined if the key has no record yet. Throws `KeyRecordError` if the record is broken.
 */
export async function readRecord(redis: Redis, hash: string): Promise<StoredKey | undefined> {
  const { until, of, ...rest } = await redis.hgetall(redisKeys.key(hash));
  if (rest['created_at'] === undefined) return undefined;
  // If `active` is 1, admit.lua ignores `until` and `of`. Ignore their values here, too.
  const isPlain = rest['active'] === '1';
  const stored: StoredKey = {
    ...rest,
    ...(until !== undefined && !isPlain && { until }),
    ...(of !== undefined && !isPlain && { of }),
  };
  const field = findWrongField(stored);
  if (field !== undefined) throw new KeyRecordError(stored['prefix'] ?? labelOf(hash), field);
  return stored;
}

/** Parses a count from Redis; 0 if absent. Throws `KeyRecordError` for an invalid count. */
export function readCount(text: string | null | undefined, field: string, key: string): number {
  if (!isWhole(text ?? '0')) throw new KeyRecordError(key, field);
  return Number(text ?? 0);
}

/**
 * Runs `work` for every key, in batches. A broken record does not stop the other keys: its error is returned in
 * `broken`, under the hash of the key.
 */
export async function forEachKey<T>(
  redis: Redis,
  work: (hash: string) => Promise<T>,
): Promise<{ done: T[]; broken: Map<string, KeyRecordError> }> {
  const done: T[] = [];
  const broken = new Map<string, KeyRecordError>();
  for await (const hashes of scanKeyHashes(redis)) {
    const results = await Promise.all(
      hashes.map((hash) => catchRecordError(hash, async () => work(hash))),
    );
    for (const [at, result] of results.entries()) {
      if (result instanceof KeyRecordError) broken.set(hashes[at] ?? '', result);
      else done.push(result);
    }
  }
  return { done, broken };
}

/** Returns the result of `work`. If the record of the key is broken, returns a `KeyRecordError`. */
export async function catchRecordError<T>(
  hash: string,
  work: () => Promise<T>,
): Promise<T | KeyRecordError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KeyRecordError) return error;
    if (!isWrongType(error)) throw error;
    return new KeyRecordError(labelOf(hash), 'WRONGTYPE');
  }
}

/** Returns the messages of the errors. */
export function messagesOf(broken: Map<string, KeyRecordError>): string[] {
  return [...broken.values()].map(({ message }) => message);
}

/** Returns the label of a key whose prefix cannot be read: the start of its hash. */
function labelOf(hash: string): string {
  return `with sha256 ${hash.slice(0, 8)}…`;
}

function findWrongField(stored: StoredKey): string | undefined {
  const { created_at: createdAt = '', changed_at: changedAt = createdAt, until, of } = stored;
  if (Number.isNaN(Date.parse(createdAt))) return 'created_at';
  if (Number.isNaN(Date.parse(changedAt))) return 'changed_at';
  if (until !== undefined && until !== '' && !isWhole(until)) return 'until';
  if (of !== undefined) return /^[\da-f]+$/i.test(of) ? undefined : 'of';
  if (!isWhole(stored['monthly_limit'] ?? '')) return 'monthly_limit';
  return isWhole(stored['total_requests'] ?? '0') ? undefined : 'total_requests';
}

function isWhole(text: string): boolean {
  return text.length <= MAX_DIGITS && WHOLE_NUMBER.test(text);
}

/** Whether the error means that the value in Redis has the wrong type. */
function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE');
}

/** Yields the hashes of all keys in batches, each hash once. A key that is created during the scan may be missing. */
async function* scanKeyHashes(redis: Redis): AsyncGenerator<string[]> {
  const yielded = new Set<string>();
  let cursor = '0';
  do {
    const [next, hashes] = await redis.sscan(redisKeys.all, cursor, 'COUNT', BATCH);
    // A scan may return a hash twice.
    const unseen = hashes.filter((hash) => !yielded.has(hash));
    for (const hash of unseen) yielded.add(hash);
    yield unseen;
    cursor = next;
  } while (cursor !== '0');
}
