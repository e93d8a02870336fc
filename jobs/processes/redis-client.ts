import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';

/** A connection that fails at once instead of trying again; ends with `disconnect()`. */
export async function connectOnce(url: string, name: string): Promise<Redis> {
  const redis = openRedisClient(url, {
    connectionName: name,
    lazyConnect: true,
    // A server still reading its file accepts connections and answers LOADING.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: 3_000,
    commandTimeout: 5_000,
  });
  // The promise only tells that the connection closed; the event tells why.
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
 * What a Redis answers to PING: `away` when nothing listens, `loading` while it reads its file, `refused` to a wrong password.
 * One that takes no writes, as its disk is full, is `ready`, too: it answers, and goes on once there is room.
 */
export async function pingRedis(url: string): Promise<'ready' | 'loading' | 'refused' | 'away'> {
  let redis: Redis | undefined;
  try {
    redis = await connectOnce(url, 'headwind-ping');
    await redis.ping();
    return 'ready';
  } catch (error) {
    if (/WRONGPASS|NOAUTH|NOPERM/.test(String(error))) return 'refused';
    if (String(error).includes('MISCONF')) return 'ready';
    return String(error).includes('LOADING') ? 'loading' : 'away';
  } finally {
    redis?.disconnect();
  }
}

/** How many connections Redis has besides this one. */
export async function countOthers(redis: Redis): Promise<number> {
  const [own, list] = await Promise.all([redis.client('ID'), redis.client('LIST')]);
  const ids = String(list).matchAll(/^id=(\d+) /gm);
  return [...ids].filter(([, id]) => id !== String(own)).length;
}
