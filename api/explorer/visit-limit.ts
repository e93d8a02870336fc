import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts a question of a visitor; 0 when it is answered, else the seconds until one is. */
export type Admit = (visitor: string) => Promise<number>;

/** Questions a visitor may ask in a minute, of all processes together. */
const PER_MINUTE = 60;

/** While Redis is away each process counts for itself. */
const PER_MINUTE_ALONE = 20;

/** A counter in Redis for each visitor of the last minute, under `hw:explorer:<address>`; it goes by itself. */
export function createVisitLimit(redis: Redis): Admit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'hw:explorer',
    points: PER_MINUTE,
    duration: 60,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ points: PER_MINUTE_ALONE, duration: 60 }),
  });
  return async (visitor) => {
    try {
      await limiter.consume(visitor);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return Math.ceil(refused.msBeforeNext / 1000);
    }
  };
}
