import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Decides whether a call may cause a fetch of a route's news, and counts the fetch. */
export type AdmitFetch = (fetch: { keyPrefix?: string; isRefresh: boolean }) => Promise<boolean>;

/** Fetches that one key may cause with `refresh=true`. */
const REFRESHES_PER_KEY_AND_HOUR = 20;
/** Fetches of routes for all callers together. Publishers of feeds block servers that send more. */
const FETCHES_PER_MINUTE = 30;

/** Limits the fetches that calls cause, counted over all processes in Redis. */
export function createFetchLimits(redis: Redis): AdmitFetch {
  const ofKey = limiter(redis, 'hw:news:refreshes', REFRESHES_PER_KEY_AND_HOUR, 3_600);
  const ofAll = limiter(redis, 'hw:news:fetches', FETCHES_PER_MINUTE, 60);
  return async ({ keyPrefix, isRefresh }) => {
    if (isRefresh && keyPrefix !== undefined && !(await hasPoint(ofKey, keyPrefix))) return false;
    return hasPoint(ofAll, 'all');
  };
}

function limiter(redis: Redis, keyPrefix: string, points: number, duration: number) {
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration,
    rejectIfRedisNotReady: true,
  });
}

async function hasPoint(limit: RateLimiterRedis, key: string): Promise<boolean> {
  try {
    await limit.consume(key);
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
}
