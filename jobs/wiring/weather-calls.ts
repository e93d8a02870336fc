import type { Redis } from 'ioredis';
import { dateAt } from '../../warehouse/ground/dates.ts';
import type { CallBudget } from '../../pipelines/weather/call-budget.ts';

/** Open-Meteo allows 10,000 calls a day without a key. A tenth of them is left for other users of our IP address. */
const FREE_CALLS_PER_DAY = 9_000;
/** The smallest paid plan allows a million calls a month. */
const PAID_CALLS_PER_DAY = 30_000;

const PAUSE = 'hw:weather:pause';
/** Seconds until the count of a day expires: two days, longer than any day in any time zone. */
const COUNT_TTL_S = 2 * 24 * 3_600;

/**
 * Creates the budget for the provider's quota. All workers share the count in Redis, which starts at 0 each UTC day.
 */
export function createCallBudget(redis: Redis, hasKey: boolean, now: () => Date): CallBudget {
  const perDay = hasKey ? PAID_CALLS_PER_DAY : FREE_CALLS_PER_DAY;
  return {
    take: async (calls) => {
      const key = `hw:weather:calls:${dateAt(now())}`;
      const whole = Math.ceil(calls);
      const used = await redis.incrby(key, whole);
      await redis.expire(key, COUNT_TTL_S);
      if (used <= perDay) return true;
      await redis.decrby(key, whole);
      return false;
    },
    pause: async (ms) => void (await redis.set(PAUSE, '1', 'PX', Math.ceil(ms))),
    pausedMs: async () => Math.max(0, await redis.pttl(PAUSE)),
  };
}
