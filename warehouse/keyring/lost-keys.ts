import type { Redis } from 'ioredis';
import type { ArchivedKey } from './archived-keys.ts';
import { redisKeys } from './layout.ts';
import { catchRecordError } from './record.ts';

/** Number of keys that are looked up at the same time. */
const BATCH = 200;

/** Differences between the archived keys and the keys in Redis. */
export type ArchiveComparison = {
  /** Archived keys that are missing in Redis. */
  lost: number;
  /** Keys in Redis that were created after the archive was written. */
  unarchived: number;
};

/**
 * Compares archived keys with the keys in Redis. A key is lost if its record is missing, or if the set of all keys does
 * not contain it. A key with a broken record is not lost.
 */
export async function compareKeys(
  redis: Redis,
  keys: readonly Pick<ArchivedKey, 'hash'>[],
): Promise<ArchiveComparison> {
  const listedCount = await redis.scard(redisKeys.all);
  let lost = 0;
  let found = 0;
  for (let from = 0; from < keys.length; from += BATCH) {
    const hashes = keys.slice(from, from + BATCH).map(({ hash }) => hash);
    const [listed, ...createdTimes] = await Promise.all([
      redis.smismember(redisKeys.all, ...hashes),
      ...hashes.map((hash) =>
        catchRecordError(hash, async () => redis.hget(redisKeys.key(hash), 'created_at')),
      ),
    ]);
    lost += hashes.filter((_, at) => listed[at] === 0 || createdTimes[at] === null).length;
    found += listed.filter((isListed) => isListed === 1).length;
  }
  return { lost, unarchived: Math.max(0, listedCount - found) };
}
