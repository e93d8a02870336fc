import type { Redis } from 'ioredis';
import { RedisAwayError } from './errors.ts';

/** Replicas of the same network have it within a millisecond or two. */
const PATIENCE_MS = 200;

/**
 * Does the work on a connection of its own and waits until so many replicas have what it wrote, which calls on the shared
 * one need not wait for. Throws `RedisAwayError` when they do not have it in time: it may be lost with the primary, and is not
 * to be acknowledged.
 */
export async function replicated<T>(
  redis: Redis,
  replicas: number,
  work: (own: Redis) => Promise<T>,
): Promise<T> {
  if (replicas === 0) return work(redis);
  const own = redis.duplicate({
    enableOfflineQueue: true,
    // Who asks has long been told that it failed: no later attempt is made.
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  own.on('error', () => undefined);
  try {
    const result = await work(own);
    const have = await own.wait(replicas, PATIENCE_MS);
    if (have >= replicas) return result;
    throw new RedisAwayError(`${have} of ${replicas} replicas have what was written`);
  } finally {
    own.disconnect();
  }
}
