import type { Redis } from 'ioredis';
import { createPointLimit } from './point-limit.ts';

/** Returns whether a call may fetch the news of a route again, and counts the fetch. */
export type AdmitFetch = (fetch: { keyPrefix?: string; isRefresh: boolean }) => Promise<boolean>;

/** Maximum number of fetches per hour that callers with one API key can cause with `refresh=true`. */
const REFRESHES_PER_KEY_AND_HOUR = 20;
/**
 * Maximum number of route fetches per minute for all callers together. News publishers block servers that send more
 * requests.
 */
const FETCHES_PER_MINUTE = 30;

/** Creates the function that limits news fetches. Redis counts the fetches of all processes. */
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
