import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { isSentinelAddress, openRedisClient } from '../warehouse/ground/redis-address.ts';

/**
 * Timeouts of a connection, and the maximum wait between two attempts to connect, in ms. With these values, the API
 * recovers in well under 3 s.
 */
const DIRECT = {
  connectTimeout: 1_000,
  // If commands wait and Redis sends nothing for this time, the connection is replaced.
  socketTimeout: 2_000,
  retryMax: 500,
};
/**
 * Values for a Redis behind sentinels, in ms. While the sentinels elect a new primary, the client keeps trying the old
 * one. Each such attempt delays recovery, so these values are shorter.
 */
const BEHIND_SENTINELS = {
  connectTimeout: 300,
  // A shorter timeout would also close the connection when this process is only briefly busy.
  socketTimeout: 1_000,
  retryMax: 100,
};

/**
 * Connects the API to Redis. While Redis is unavailable, commands fail immediately, and the client keeps reconnecting.
 * Commands are not queued or repeated, so no call is counted twice. If `log` is present, outages are logged.
 */
export function connectRedis(url: string, log?: Pick<Logger, 'warn' | 'info'>): Redis {
  const { retryMax, ...timeouts } = isSentinelAddress(url) ? BEHIND_SENTINELS : DIRECT;
  const redis = openRedisClient(url, {
    connectionName: 'headwind-api',
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // When the connection closes, commands without a reply fail.
    maxRetriesPerRequest: 0,
    ...timeouts,
    retryStrategy: (attempt) => Math.min(50 * attempt, retryMax),
  });
  let reason: string | undefined;
  let isUnavailable = false;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code ?? error.message;
  });
  // The client emits this event before each attempt to reconnect. Only the first event of an outage is logged.
  redis.on('reconnecting', () => {
    if (!isUnavailable) {
      isUnavailable = true;
      log?.warn({ reason }, 'redis is unavailable');
    }
  });
  redis.on('ready', () => {
    if (isUnavailable) {
      isUnavailable = false;
      log?.info('redis is available again');
    }
  });
  return redis;
}

/** Waits at most `timeoutMs` until Redis is ready. Returns whether Redis is ready. */
export async function waitUntilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') {
    return true;
  }
  return new Promise((resolve) => {
    const finish = (isReady: boolean) => () => {
      clearTimeout(timer);
      redis.off('ready', ready);
      resolve(isReady);
    };
    const ready = finish(true);
    const timer = setTimeout(finish(false), timeoutMs);
    redis.once('ready', ready);
  });
}
