import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { isSentinelAddress, openRedisClient } from '../warehouse/ground/redis-address.ts';

/** How long to connect and to wait between two attempts to, in ms, which bounds recovery to well under 3 s. */
const DIRECT = {
  connectTimeout: 1_000,
  // A connection silent this long with commands waiting is taken for dead and replaced.
  socketTimeout: 2_000,
  retryMax: 500,
};
/**
 * All behind sentinels, in ms. Until they have agreed on another primary, one that froze or was cut off is connected to
 * again and again: what one attempt takes, and the wait after it, is time until calls go on.
 */
const BEHIND_SENTINELS = {
  connectTimeout: 300,
  // No shorter: an event loop that is held up that long would lose its connection.
  socketTimeout: 1_000,
  retryMax: 100,
};

/**
 * The API's connection to Redis: commands fail at once while it is away, and it comes back by itself.
 * Nothing is queued or sent twice, so a call is never counted twice. With a log it reports outages.
 */
export function connectRedis(url: string, log?: Pick<Logger, 'warn' | 'info'>): Redis {
  const { retryMax, ...timeouts } = isSentinelAddress(url) ? BEHIND_SENTINELS : DIRECT;
  const redis = openRedisClient(url, {
    connectionName: 'headwind-api',
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // Rejects what is unanswered when the connection closes.
    maxRetriesPerRequest: 0,
    ...timeouts,
    retryStrategy: (attempt) => Math.min(50 * attempt, retryMax),
  });
  let reason: string | undefined;
  let isAway = false;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code ?? error.message;
  });
  // Comes before each attempt to connect again, and not when we close; an outage is one line.
  redis.on('reconnecting', () => {
    if (!isAway) {
      isAway = true;
      log?.warn({ reason }, 'redis is away');
    }
  });
  redis.on('ready', () => {
    if (isAway) {
      isAway = false;
      log?.info('redis is back');
    }
  });
  return redis;
}

/** Waits until Redis answers, at most that long; says whether it does. */
export async function untilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') {
    return true;
  }
  return new Promise((resolve) => {
    const settle = (isReady: boolean) => () => {
      clearTimeout(timer);
      redis.off('ready', ready);
      resolve(isReady);
    };
    const ready = settle(true);
    const timer = setTimeout(settle(false), timeoutMs);
    redis.once('ready', ready);
  });
}
