import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { isSentinelAddress, openRedisClient } from '../warehouse/ground/redis-address.ts';

/**
 * Timeouts of a connection and the longest wait between two connection attempts, in ms. With these values, recovery
 * takes well under 3 s.
 */
const DIRECT = {
  connectTimeout: 1_000,
  // A connection is replaced if commands wait for replies and the connection stays silent for this long.
  socketTimeout: 2_000,
  retryMax: 500,
};
/**
 * The same settings for a Redis behind sentinels, in ms. Until the sentinels elect a new primary, the client keeps
 * trying the frozen or unreachable old primary. Each such attempt, and the wait after the attempt, delays recovery.
 */
const BEHIND_SENTINELS = {
  connectTimeout: 300,
  // A shorter timeout would close the connection even when the event loop is blocked only briefly.
  socketTimeout: 1_000,
  retryMax: 100,
};

/**
 * Connects the API to Redis. While Redis is unavailable, commands fail at once; the client reconnects automatically. No
 * command is queued or sent twice, so no call is counted twice. If `log` is present, outages are logged.
 */
export function connectRedis(url: string, log?: Pick<Logger, 'warn' | 'info'>): Redis {
  const { retryMax, ...timeouts } = isSentinelAddress(url) ? BEHIND_SENTINELS : DIRECT;
  const redis = openRedisClient(url, {
    connectionName: 'headwind-api',
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // Unanswered commands fail when the connection closes.
    maxRetriesPerRequest: 0,
    ...timeouts,
    retryStrategy: (attempt) => Math.min(50 * attempt, retryMax),
  });
  let reason: string | undefined;
  let isUnavailable = false;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code ?? error.message;
  });
  // The client emits this event before each new attempt, but not when we close the connection. Each outage is logged
  // once.
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

/** Waits until Redis is ready, at most `timeoutMs`. Returns whether it is ready. */
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
