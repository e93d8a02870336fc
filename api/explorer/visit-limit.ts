import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts a visitor's request. Returns 0 if the request is allowed, otherwise the seconds to wait. */
export type Admit = (visitor: string) => Promise<number>;

/** Requests a visitor may send per minute, counted over all processes. */
const REQUESTS_PER_MINUTE = 60;

/**
 * Requests a visitor may send per minute and process while Redis is unavailable. Each process then counts separately.
 */
const REQUESTS_PER_MINUTE_WITHOUT_REDIS = 20;

/**
 * Counts the requests of each visitor in Redis, under `hw:explorer:<address>`. The counters expire after a minute.
 */
export function createVisitLimit(redis: Redis): Admit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'hw:explorer',
    points: REQUESTS_PER_MINUTE,
    duration: 60,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({
      points: REQUESTS_PER_MINUTE_WITHOUT_REDIS,
      duration: 60,
    }),
  });
  return async (visitor) => {
    try {
      await limiter.consume(visitor);
      return 0;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return Math.ceil(error.msBeforeNext / 1000);
    }
  };
}
