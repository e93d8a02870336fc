import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Context } from 'koa';
import {
  BurstyRateLimiter,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { formatDuration } from '../../warehouse/ground/duration.ts';
import type { ExplorerDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { isFromOtherSite, visitorAddress } from './visitor.ts';

type Ctx = Pick<Context, 'req' | 'get' | 'status'>;

/** Limits for one address. They apply to all processes together. */
type Budget = {
  perMinute: number;
  /** Additional requests within ten minutes, because several people may share an address. */
  burst: number;
  perDay: number;
};

/** Limit for all requests. It is higher than the limit for flights, because visitors also search. */
const REQUESTS: Budget = { perMinute: 300, burst: 1_500, perDay: 20_000 };
/**
 * Limit for pages with flights. Suppose twenty people share an address, and each looks at ten such pages within ten
 * minutes. Without script they need 400 requests, because each form then needs a second request. The limit for the day
 * counts flights, not requests: a page with four flights counts four times. The page of a flight counts once, although
 * it also shows other hours, days and airlines. A program would need several API calls for these figures.
 */
const FLIGHTS: Budget = { perMinute: 60, burst: 340, perDay: 2_000 };

const MINUTE_S = 60;
const BURST_S = 600;
const DAY_S = 86_400;

/**
 * Creates the functions that limit the requests of each visitor. Redis stores the counts under
 * `hw:explorer:…:<address>`, where they expire by themselves. While Redis is unavailable, each process counts in
 * memory.
 */
export function createVisitLimit(
  redis: Redis,
): Pick<ExplorerDeps, 'admit' | 'refund' | 'countNew'> {
  const requests = limitersOf(redis, 'requests', REQUESTS);
  const pages = limitersOf(redis, 'flights', FLIGHTS);
  const admit: ExplorerDeps['admit'] = async (visitor, flights) => {
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
  const refund: ExplorerDeps['refund'] = async (visitor, flights) => {
    await pages.day.reward(visitor, flights);
  };
  return {
    admit,
    refund,
    countNew: (visitor, flights) => countNewFlights(redis, visitor, flights),
  };
}

/**
 * Returns the number of flights that are new to the visitor. Redis stores a hash of each flight's text. All hashes of a
 * visitor are deleted one day after the first one was stored. The window of the daily limit may end earlier. A flight
 * of the former window then still counts as seen, because the visitor has already seen the same date and figures. The
 * hashes come from at most two windows, so there are at most twice as many as the daily limit. While Redis is
 * unavailable, all flights count as new.
 */
async function countNewFlights(
  redis: Redis,
  visitor: string,
  flights: readonly string[],
): Promise<number> {
  if (flights.length === 0 || redis.status !== 'ready') return flights.length;
  const key = `hw:explorer:seen:day:${visitor}`;
  const hashes = flights.map((text) => hash('sha256', text, 'base64url').slice(0, 12));
  try {
    const added = await redis.sadd(key, ...hashes);
    // The day starts with the visitor's first flights. Later flights do not extend the day.
    if ((await redis.ttl(key)) < 0) await redis.expire(key, DAY_S);
    return added;
  } catch {
    return flights.length;
  }
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

/**
 * Counts `flights`, the maximum number of flights in the answer, and then calls `answer`. Afterwards, subtracts the
 * flights that were not sent. If `answer` returns the texts of its flights, also subtracts the flights that the visitor
 * has already seen.
 */
type Count = (
  ctx: Ctx,
  flights: number,
  answer: () => Promise<string[] | undefined>,
) => Promise<void>;

/** Returns functions that count requests and the flights in their answers. Above a limit, they throw a 429. */
export function requestLimits({ admit, refund, countNew, isTrustedProxy }: ExplorerDeps) {
  const visitorOf = (ctx: Ctx) => visitorAddress(ctx.req, isTrustedProxy);
  const check = async (visitor: string, flights: number) => {
    const waitS = await admit(visitor, flights);
    if (waitS > 0) throw tooManyRequests(waitS);
  };
  const countAs =
    (nameOf: (ctx: Ctx) => string): Count =>
    async (ctx, flights, answer) => {
      const visitor = nameOf(ctx);
      await check(visitor, flights);
      let sent = 0;
      try {
        const texts = await answer();
        // Redirects and answers with status 304 contain no flights.
        if (ctx.status === 200) sent = texts ? await countNew(visitor, texts) : flights;
      } finally {
        if (flights > sent) await refund(visitor, flights - sent);
      }
    };
  return {
    checkLimit: (ctx: Ctx) => check(visitorOf(ctx), 0),
    countFlights: countAs(visitorOf),
    /** Counts an image. Images on other sites are counted separately, because the visitor did not open a page. */
    countCard: countAs((ctx) => `${visitorOf(ctx)}${isFromOtherSite(ctx) ? ':cards' : ''}`),
  };
}

function tooManyRequests(waitS: number): RequestError {
  return new RequestError(
    429,
    'rate_limit_exceeded',
    `Too many requests. Try again in ${waitText(waitS)}, or use the API for higher limits.`,
    { headers: { 'Retry-After': String(waitS) } },
  );
}

/** Describes a waiting time. From two minutes on, the text uses larger units than seconds. */
function waitText(waitS: number): string {
  if (waitS >= 120) return formatDuration(1_000 * waitS);
  return `${waitS} ${waitS === 1 ? 'second' : 'seconds'}`;
}
