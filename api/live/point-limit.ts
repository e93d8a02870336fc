import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts an event for a key. Returns 0 if the event is within the limit, otherwise the number of seconds to wait. */
export type PointLimit = (key: string) => Promise<number>;

/** Limits events to `points` in `durationS` seconds for each key. Redis counts the events of all processes. */
export function createPointLimit(
  redis: Redis,
  { name, points, durationS }: { name: string; points: number; durationS: number },
): PointLimit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: name,
    points,
    duration: durationS,
    rejectIfRedisNotReady: true,
  });
  return async (key) => {
    try {
      await limiter.consume(key);
      return 0;
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000);
      throw error;
    }
  };
}
