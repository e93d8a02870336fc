import type { Redis } from 'ioredis';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';

/** A running Redis answers within this time, also on a busy machine. */
const LONG_DEADLINE_MS = 60_000;

/**
 * Connects to Redis like the API and creates a keystore; both end with the test. Tests in which Redis does not answer
 * in time use the `default` deadline.
 */
export async function aKeystore(
  t: { teardown: (end: () => void) => void },
  url: string,
  deadline: 'long' | 'default' = 'long',
): Promise<{ keys: Keystore; redis: Redis }> {
  const redis = connectRedis(url);
  t.teardown(() => redis.disconnect());
  if (!(await waitUntilReady(redis, 60_000))) {
    throw new Error('the Redis of the test does not answer');
  }
  const keys = createKeystore(redis, deadline === 'long' ? { deadlineMs: LONG_DEADLINE_MS } : {});
  return { keys, redis };
}

/** Creates a test key with the monthly limit. */
export function aKey(keys: Keystore, monthlyLimit: number, at: Date): Promise<IssuedKey> {
  return keys.create({ name: 'A shop', email: 'shop@example.com', monthlyLimit }, 'test', at);
}

/** Reads the stored counts of calls: in the month and in total. */
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
