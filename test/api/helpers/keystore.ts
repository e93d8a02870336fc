import type { Redis } from 'ioredis';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import { connectRedis, untilReady } from '../../../api/redis.ts';

/** However busy the machine, a Redis that runs has answered by then. */
const PATIENCE_MS = 60_000;

/**
 * The API's own connection to that Redis, and the keystore on it; both end with the test. Only where the test is about
 * a Redis that does not answer in time are calls given up as early as the API promises.
 */
export async function aKeystore(
  t: { teardown: (end: () => void) => void },
  url: string,
  givesUp: 'late' | 'as promised' = 'late',
): Promise<{ keys: Keystore; redis: Redis }> {
  const redis = connectRedis(url);
  t.teardown(() => redis.disconnect());
  if (!(await untilReady(redis, 60_000))) {
    throw new Error('the Redis of the test does not answer');
  }
  const keys = createKeystore(redis, givesUp === 'late' ? { deadlineMs: PATIENCE_MS } : {});
  return { keys, redis };
}

/** A test key with that limit. */
export function aKey(keys: Keystore, monthlyLimit: number, at: Date): Promise<IssuedKey> {
  return keys.create({ name: 'A shop', email: 'shop@example.com', monthlyLimit }, 'test', at);
}

/** What is stored of the calls: of the month named, and of all time. */
export async function countsOf(
  redis: Redis,
  hash: string,
  month: string,
): Promise<{ month: number; total: number }> {
  const [used, total] = await Promise.all([
    redis.get(`hw:usage:{${hash}}:${month}`),
    redis.hget(`hw:key:{${hash}}`, 'total_requests'),
  ]);
  return { month: Number(used ?? 0), total: Number(total) };
}
