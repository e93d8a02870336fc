import type { Redis } from 'ioredis';
import { dateAt } from '../../warehouse/ground/dates.ts';
import type { CallBudget } from '../../pipelines/weather/call-budget.ts';

/** Open-Meteo gives 10,000 calls a day without a key; a tenth is left to whoever shares our address. */
const FREE_CALLS_PER_DAY = 9_000;
/** Its smallest plan has a million a month. */
const PAID_CALLS_PER_DAY = 30_000;

const PAUSE = 'hw:weather:pause';
/** Long enough to outlast its day everywhere. */
const KEPT_S = 2 * 24 * 3_600;

/** Keeps the provider's quota in Redis: by UTC day, whoever asks; a day that begins is a new count. */
export function weatherCalls(redis: Redis, hasKey: boolean, now: () => Date): CallBudget {
  const perDay = hasKey ? PAID_CALLS_PER_DAY : FREE_CALLS_PER_DAY;
  return {
    take: async (calls) => {
      const key = `hw:weather:calls:${dateAt(now())}`;
      const whole = Math.ceil(calls);
      const used = await redis.incrby(key, whole);
      await redis.expire(key, KEPT_S);
      if (used <= perDay) return true;
      await redis.decrby(key, whole);
      return false;
    },
    pause: async (ms) => void (await redis.set(PAUSE, '1', 'PX', Math.ceil(ms))),
    pausedMs: async () => Math.max(0, await redis.pttl(PAUSE)),
  };
}
