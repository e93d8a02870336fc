import type { Redis } from 'ioredis';
import {
  BurstyRateLimiter,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/**
 * Counts a visitor's request and the flights in its answer. Returns 0 if the request is allowed, otherwise the number of
 * seconds to wait.
 */
export type Admit = (visitor: string, flights: number) => Promise<number>;

/** Maximum numbers for one address. All processes count together. */
type Budget = {
  perMinute: number;
  /** Additional requests within ten minutes, because several people may share an address. */
  burst: number;
  perDay: number;
};

/** Limit for all requests. It is higher than the limit for flights, because visitors also search. */
const REQUESTS: Budget = { perMinute: 300, burst: 1_500, perDay: 20_000 };
/**
 * Limit for pages with flights. Twenty people who share an address and look at ten such pages each within ten minutes
 * need 400 requests if they have no script, because each form then needs a second request. The limit for the day counts
 * flights, not requests: a page with four flights counts four times. The page of a flight counts once, although it also
 * shows other hours, days and airlines of the flight. A program would need several API calls for these figures.
 */
const FLIGHTS: Budget = { perMinute: 60, burst: 340, perDay: 2_000 };

const MINUTE_S = 60;
const BURST_S = 600;
const DAY_S = 86_400;

/**
 * Creates the function that limits the requests of each visitor. Redis has the counts under `hw:explorer:…:<address>`;
 * they expire by themselves. While Redis is unavailable, each process counts in memory.
 */
export function createVisitLimit(redis: Redis): Admit {
  const requests = limitersOf(redis, 'requests', REQUESTS);
  const pages = limitersOf(redis, 'flights', FLIGHTS);
  return async (visitor, flights) => {
    const ofRequest = [
      { limiter: requests.rate, points: 1 },
      { limiter: requests.day, points: 1 },
    ];
    const ofFlights = [
      { limiter: pages.rate, points: 1 },
      { limiter: pages.day, points: flights },
    ];
    for (const { limiter, points } of flights > 0 ? [...ofRequest, ...ofFlights] : ofRequest) {
      const waitS = await secondsToWait(limiter, visitor, points);
      if (waitS > 0) return waitS;
    }
    return 0;
  };
}

type Limiter = Pick<BurstyRateLimiter, 'consume'>;

function limitersOf(redis: Redis, name: string, { perMinute, burst, perDay }: Budget) {
  const limiter = (window: string, points: number, duration: number) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `hw:explorer:${name}:${window}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ points, duration }),
    });
  return {
    rate: new BurstyRateLimiter(
      limiter('minute', perMinute, MINUTE_S),
      limiter('burst', burst, BURST_S),
    ),
    day: limiter('day', perDay, DAY_S),
  };
}

async function secondsToWait(limiter: Limiter, visitor: string, points: number): Promise<number> {
  try {
    await limiter.consume(visitor, points);
    return 0;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return Math.ceil(error.msBeforeNext / 1_000);
  }
}
