import type { Redis } from 'ioredis';
import { share, type EventFlight } from '../../models/event-risk.ts';
import type { FlightQuery } from '../../models/types.ts';
import { hgetEither } from '../../warehouse/live/former-keys.ts';
import {
  NEWS_ASKED_IN_VAIN,
  NEWS_LISTENER_KEY,
  NEWS_ROUTES_KEY,
  NEWS_WANTED_KEY,
  newsAskedKey,
  newsWish,
  type NewsItem,
} from '../../warehouse/live/news.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { FindNews } from './news-types.ts';
import type { NewsWatch } from './news-watch.ts';
import { newsItemOf } from './news-item.ts';
import { NEWS_CACHE_TTL_HOURS } from '../schemas/news.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';

export type RouteNewsDeps = {
  redis: Redis;
  stores: Pick<StoreWatch, 'current'>;
  feed: NewsWatch;
  now: () => Date;
  /** How long an answer may wait for the worker. */
  patienceMs?: number;
};

const CACHE_MS = NEWS_CACHE_TTL_HOURS * 3_600_000;
/** A route is fetched no more often than this, whoever asks. */
const ASK_EVERY_S = 60;
const PATIENCE_MS = 4_000;
/** Routes waiting for the worker at most; what is beyond is answered from the cache. */
const MAX_WANTED = 100;
const MAX_ITEMS = 20;

/**
 * Makes the function that answers with the news of a route. It calls no upstream: it asks the worker through Redis,
 * once a minute for a route whatever the number of callers and processes, and waits a few seconds at most, where there is a
 * worker. When nothing comes, what is known is the answer.
 */
export function createFindNews(deps: RouteNewsDeps): FindNews {
  const underWay = new Map<string, Promise<boolean>>();
  const fetched = (route: string, requestId: string): Promise<boolean> => {
    const running = underWay.get(route);
    if (running) return running;
    const asking = askWorker(route, requestId, deps)
      .catch(() => false)
      .finally(() => underWay.delete(route));
    underWay.set(route, asking);
    return asking;
  };
  return async ({ origin, dest }, isFresh, requestId) => {
    const route = `${origin.iata}-${dest.iata}`;
    const before = await fetchedAt(route, deps);
    const isOld = before === undefined || deps.now().getTime() - Date.parse(before) >= CACHE_MS;
    const isFetched = (isFresh || isOld) && (await fetched(route, requestId));
    const at =
      (isFetched && (await fetchedAt(route, deps))) || before || (await fetchedAt('', deps));
    return {
      items: routeItems(origin.iata, dest.iata, deps).map(newsItemOf),
      // While nothing was ever fetched there is no cache, and no better time than that of the answer.
      fetchedAt: at === undefined ? deps.now() : new Date(at),
      isCached: !isFetched && at !== undefined,
    };
  };
}

/** The flight as events see it. */
export function eventFlight(query: FlightQuery, store: ScoreStore): EventFlight {
  const { origin, dest } = query;
  const countries = [origin, dest].flatMap((iata) => store.airport(iata)?.countryCode ?? []);
  return { ...query, countries };
}

/** The news that touch a flight, newest first. */
export function flightItems(flight: EventFlight, feed: Pick<NewsWatch, 'current'>): NewsItem[] {
  const { origin, dest, carrier, countries } = flight;
  return feed
    .current()
    .index.touching({ airports: [origin, dest], countries, carriers: [carrier] })
    .filter((item) => share(item, flight) > 0);
}

/** At most so many of the newest, as an answer shows them. */
export function shown(items: NewsItem[]): NewsItem[] {
  return items.slice(0, MAX_ITEMS);
}

/** The news that touch any flight on the route: its airports, its countries, and the airlines that fly it. */
function routeItems(origin: string, dest: string, { stores, feed }: RouteNewsDeps): NewsItem[] {
  const store = stores.current();
  if (!store) return [];
  const carriers = store.carriersOnRoute(origin, dest).map(({ carrier }) => carrier);
  const flights = ['', ...carriers].map((carrier) =>
    eventFlight({ origin, dest, carrier, flightDate: '' }, store),
  );
  const countries = flights[0]?.countries ?? [];
  const items = feed
    .current()
    .index.touching({ airports: [origin, dest], countries, carriers })
    .filter((item) => flights.some((flight) => share(item, flight) > 0));
  return shown(items);
}

async function fetchedAt(route: string, { redis }: RouteNewsDeps): Promise<string | undefined> {
  return (await hgetEither(redis, NEWS_ROUTES_KEY, route).catch(() => null)) ?? undefined;
}

/** Whether the worker fetched the route for us, or for somebody who asked at the same time. */
async function askWorker(route: string, requestId: string, deps: RouteNewsDeps): Promise<boolean> {
  const { redis, feed, now, patienceMs = PATIENCE_MS } = deps;
  const told = Promise.withResolvers<void>();
  const stop = feed.onRoute(route, told.resolve);
  let timer: NodeJS.Timeout | undefined;
  try {
    const asked = now().toISOString();
    const key = newsAskedKey(route);
    const isFirst = (await redis.set(key, asked, 'EX', ASK_EVERY_S, 'NX')) === 'OK';
    const since = isFirst ? asked : ((await redis.get(key)) ?? asked);
    if (since === NEWS_ASKED_IN_VAIN) return false;
    // A worker may still vanish, and then nothing is told: whoever comes later waits no longer than who asked first.
    const leftMs = patienceMs - (now().getTime() - Date.parse(since));
    if (isFirst) {
      await redis.lpush(NEWS_WANTED_KEY, newsWish({ route, requestId }));
      await redis.ltrim(NEWS_WANTED_KEY, 0, MAX_WANTED - 1);
    } else if (leftMs < 0 || (await isDone(route, since, deps))) {
      // It was fetched within the minute, or could not be: the cache has the answer.
      return false;
    }
    // It is fetched once a worker comes; nobody waits for that.
    if ((await redis.exists(NEWS_LISTENER_KEY)) === 0) return false;
    timer = setTimeout(told.resolve, Math.min(leftMs, patienceMs));
    await told.promise;
    return await isDone(route, since, deps);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

async function isDone(route: string, since: string, deps: RouteNewsDeps): Promise<boolean> {
  return ((await fetchedAt(route, deps)) ?? '') >= since;
}
