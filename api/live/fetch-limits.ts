import type { Redis } from 'ioredis';
import { createPointLimit } from './point-limit.ts';

/** Decides whether a call may cause a fetch of a route's news, and counts the fetch. */
export type AdmitFetch = (fetch: { keyPrefix?: string; isRefresh: boolean }) => Promise<boolean>;

/** Fetches that one key may cause with `refresh=true`. */
const REFRESHES_PER_KEY_AND_HOUR = 20;
/** Fetches of routes for all callers together. Publishers of feeds block servers that send more. */
const FETCHES_PER_MINUTE = 30;

/** Limits the fetches that calls cause, counted over all processes in Redis. */
export function createFetchLimits(redis: Redis): AdmitFetch {
  const countRefresh = createPointLimit(redis, {
    ...{ name: 'hw:news:refreshes', points: REFRESHES_PER_KEY_AND_HOUR, durationS: 3_600 },
  });
  const countFetch = createPointLimit(redis, {
    ...{ name: 'hw:news:fetches', points: FETCHES_PER_MINUTE, durationS: 60 },
  });
  return async ({ keyPrefix, isRefresh }) => {
    if (isRefresh && keyPrefix !== undefined && (await countRefresh(keyPrefix)) > 0) return false;
    return (await countFetch('all')) === 0;
  };
}
