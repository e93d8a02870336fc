import type { Redis } from 'ioredis';
import { KeyRecordError } from './errors.ts';
import { redisKeys } from './layout.ts';

/** The fields of a key as Redis has them. */
export type StoredKey = Record<string, string>;

/** As record.lua has it. */
const WHOLE = /^(0|-?[1-9]\d*)$/;
const WHOLE_LENGTH = 15;

/** Keys looked at together. */
const BATCH = 200;

/** The fields of a key; throws `KeyRecordError` when they make no sense, undefined while they are not stored yet. */
export async function readRecord(redis: Redis, hash: string): Promise<StoredKey | undefined> {
  const stored = await redis.hgetall(redisKeys.key(hash));
  if (stored['created_at'] === undefined) return undefined;
  const wrong = wrongField(stored);
  if (wrong !== undefined) throw new KeyRecordError(stored['prefix'] ?? nameOf(hash), wrong);
  return stored;
}

/** A count that Redis keeps, 0 for none; throws `KeyRecordError` when it is no count. */
export function readCount(text: string | null | undefined, what: string, key: string): number {
  if (!isWhole(text ?? '0')) throw new KeyRecordError(key, what);
  return Number(text ?? 0);
}

/**
 * Does the work for every key, some at a time; a key whose record makes no sense keeps none of the others from it and comes back
 * as the error that names it.
 */
export async function forEachKey<T>(
  redis: Redis,
  work: (hash: string) => Promise<T>,
): Promise<{ done: T[]; broken: Map<string, KeyRecordError> }> {
  const done: T[] = [];
  const broken = new Map<string, KeyRecordError>();
  for await (const hashes of keyHashes(redis)) {
    const results = await Promise.all(
      hashes.map((hash) => brokenApart(hash, async () => work(hash))),
    );
    for (const [at, result] of results.entries()) {
      if (result instanceof KeyRecordError) broken.set(hashes[at] ?? '', result);
      else done.push(result);
    }
  }
  return { done, broken };
}

/** What the work gives or, where the record of the key stops it, the error that names it. */
export async function brokenApart<T>(
  hash: string,
  work: () => Promise<T>,
): Promise<T | KeyRecordError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KeyRecordError) return error;
    if (!isWrongType(error)) throw error;
    return new KeyRecordError(nameOf(hash), 'WRONGTYPE');
  }
}

/** What is wrong with each. */
export function messagesOf(broken: Map<string, KeyRecordError>): string[] {
  return [...broken.values()].map(({ message }) => message);
}

/** What a key is called whose prefix cannot be read. */
function nameOf(hash: string): string {
  return `with sha256 ${hash.slice(0, 8)}…`;
}

function wrongField(stored: StoredKey): string | undefined {
  const { created_at: createdAt = '', changed_at: changedAt = createdAt, until, of } = stored;
  if (Number.isNaN(Date.parse(createdAt))) return 'created_at';
  if (Number.isNaN(Date.parse(changedAt))) return 'changed_at';
  if (until !== undefined && until !== '' && !isWhole(until)) return 'until';
  if (of !== undefined) return /^[\da-f]+$/i.test(of) ? undefined : 'of';
  if (!isWhole(stored['monthly_limit'] ?? '')) return 'monthly_limit';
  return isWhole(stored['total_requests'] ?? '0') ? undefined : 'total_requests';
}

function isWhole(text: string): boolean {
  return text.length <= WHOLE_LENGTH && WHOLE.test(text);
}

/** Redis holds something else under that name. */
function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE');
}

/** The hashes of all keys, each once, some at a time; a key that is made meanwhile may be missed. */
async function* keyHashes(redis: Redis): AsyncGenerator<string[]> {
  const seen = new Set<string>();
  let cursor = '0';
  do {
    const [next, hashes] = await redis.sscan(redisKeys.all, cursor, 'COUNT', BATCH);
    // A scan may come past the same one twice.
    const fresh = hashes.filter((hash) => !seen.has(hash));
    for (const hash of fresh) seen.add(hash);
    yield fresh;
    cursor = next;
  } while (cursor !== '0');
}
