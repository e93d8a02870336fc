import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';

/** Connects once, without retries. Close the connection with `disconnect()`. */
export async function connectOnce(url: string, name: string): Promise<Redis> {
  const redis = openRedisClient(url, {
    connectionName: name,
    lazyConnect: true,
    // A server that is still loading its file accepts connections and answers LOADING.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: 3_000,
    commandTimeout: 5_000,
  });
  // The promise rejects only with `Connection is closed.`; the `error` event has the reason.
  let reason: unknown;
  redis.on('error', (error) => {
    reason = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw reason ?? error;
  }
  return redis;
}

/**
 * Returns the state of a Redis:
 * - `unreachable` if nothing listens,
 * - `loading` while the Redis reads its file,
 * - `refused` for a wrong password,
 * - `ready` otherwise, even if the Redis rejects writes because its disk is full. Such a Redis answers, and accepts
 *   writes again once disk space is free.
 */
export async function pingRedis(
  url: string,
): Promise<'ready' | 'loading' | 'refused' | 'unreachable'> {
  let redis: Redis | undefined;
  try {
    redis = await connectOnce(url, 'headwind-ping');
    await redis.ping();
    return 'ready';
  } catch (error) {
    if (/WRONGPASS|NOAUTH|NOPERM/.test(String(error))) return 'refused';
    if (String(error).includes('MISCONF')) return 'ready';
    return String(error).includes('LOADING') ? 'loading' : 'unreachable';
  } finally {
    redis?.disconnect();
  }
}

/** Counts the connections to the Redis server, without this one. */
export async function countOtherConnections(redis: Redis): Promise<number> {
  const [own, list] = await Promise.all([redis.client('ID'), redis.client('LIST')]);
  const ids = String(list).matchAll(/^id=(\d+) /gm);
  return [...ids].filter(([, id]) => id !== String(own)).length;
}
