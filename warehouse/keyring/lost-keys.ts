import type { Redis } from 'ioredis';
import type { ArchivedKey } from './archived-keys.ts';
import { redisKeys } from './layout.ts';
import { catchRecordError } from './record.ts';

/** Number of keys that are looked up in one turn. */
const BATCH = 200;

/**
 * Counts the archived keys that are lost. A key is lost if its record is missing in Redis or if the set of all keys
 * lacks the key. A key with a broken record is not lost.
 */
export async function countLostKeys(
  redis: Redis,
  keys: readonly Pick<ArchivedKey, 'hash'>[],
): Promise<number> {
  let lost = 0;
  for (let from = 0; from < keys.length; from += BATCH) {
    const hashes = keys.slice(from, from + BATCH).map(({ hash }) => hash);
    const [listed, ...createdTimes] = await Promise.all([
      redis.smismember(redisKeys.all, ...hashes),
      ...hashes.map((hash) =>
        catchRecordError(hash, async () => redis.hget(redisKeys.key(hash), 'created_at')),
      ),
    ]);
    lost += hashes.filter((_, at) => listed[at] === 0 || createdTimes[at] === null).length;
  }
  return lost;
}
