import type { Redis } from 'ioredis';
import { shareOfFlight, type EventFlight } from '../../models/event-risk.ts';
import type { FlightQuery } from '../../models/types.ts';
import {
  NEWS_REQUEST_UNANSWERED,
  NEWS_LISTENER_KEY,
  NEWS_ROUTES_KEY,
  NEWS_REQUESTS_KEY,
  newsRequestKey,
  formatNewsRequest,
  type NewsItem,
} from '../../warehouse/live/news.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { AdmitFetch } from './fetch-limits.ts';
import type { FindNews, NewsCaller } from './news-types.ts';
import type { NewsWatch } from './news-watch.ts';
import { NEWS_CACHE_TTL_HOURS, type NewsItem as NewsItemBody } from '../schemas/news.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';

export type RouteNewsDeps = {
  redis: Redis;
  stores: Pick<StoreWatch, 'current'>;
  feed: NewsWatch;
  now: () => Date;
  /** Maximum time in ms that an answer waits for a worker to fetch news. */
  maxWaitMs?: number;
  admitFetch: AdmitFetch;
};

/**
 * Result of a request to fetch a route's news. `recent`: the news was fetched within the last minute. `limited`: the
 * limit of fetches is reached.
 */
type FetchOutcome = 'fetched' | 'recent' | 'failed' | 'limited';

const CACHE_MS = NEWS_CACHE_TTL_HOURS * 3_600_000;
/** Minimum number of seconds between two fetches of a route, for all callers together. */
const FETCH_EVERY_S = 60;
const MAX_WAIT_MS = 4_000;
/**
 * Maximum number of queued requests. When the queue is full, the oldest request is dropped, and its callers get news
 * from the cache.
 */
const MAX_WAITING = 100;
const MAX_ITEMS = 20;

/**
 * Creates the function that returns the news of a route. This process does not call the news sources. It requests a
 * fetch from a worker through Redis, and waits at most a few seconds for the result. Each route is fetched at most once
 * a minute. Without a result in time, the function returns the last known news.
 */
export function createFindNews(deps: RouteNewsDeps): FindNews {
  const requests = new Map<string, Promise<FetchOutcome>>();
  const fetchOnce = (request: FetchRequest): Promise<FetchOutcome> => {
    // Requests with different keys count toward different limits, so they are not combined here. Redis deduplicates
    // them.
    const id = `${request.route} ${request.keyPrefix} ${request.isRefresh}`;
    const running = requests.get(id);
    if (running) return running;
    const fetching = requestFetch(request, deps)
      .catch(() => 'failed' as const)
      .finally(() => requests.delete(id));
    requests.set(id, fetching);
    return fetching;
  };
  const isOld = (at: string | undefined) =>
    at === undefined || deps.now().getTime() - Date.parse(at) >= CACHE_MS;
  return async ({ origin, dest }, isFresh, caller) => {
    const route = `${origin.iata}-${dest.iata}`;
    const lastFetch = await fetchedAt(route, deps);
    const outcome =
      isFresh || isOld(lastFetch)
        ? await fetchOnce({ route, isRefresh: isFresh, ...caller })
        : undefined;
    const isFetched = outcome === 'fetched';
    const at = isFetched ? await fetchedAt(route, deps) : await newestFetch(lastFetch, deps);
    return {
      items: routeItems(origin.iata, dest.iata, deps).map(newsItemOf),
      fetchedAt: at === undefined ? undefined : new Date(at),
      isCached: !isFetched && at !== undefined,
      isFailed: (isFresh && outcome === 'failed') || isOld(at),
    };
  };
}

/** A request to fetch a route's news, with the call that needs the news. */
type FetchRequest = NewsCaller & { route: string; isRefresh: boolean };

/** Returns the time of the newest fetch that covers the route. The general feeds cover all routes. */
async function newestFetch(
  lastFetch: string | undefined,
  deps: RouteNewsDeps,
): Promise<string | undefined> {
  const general = await fetchedAt('', deps);
  return (general ?? '') > (lastFetch ?? '') ? general : lastFetch;
}

/** Adds the countries of the two airports to a flight, because events may name countries. */
export function eventFlight(query: FlightQuery, store: ScoreStore): EventFlight {
  const { origin, dest } = query;
  const countries = [origin, dest].flatMap((iata) => store.airport(iata)?.countryCode ?? []);
  return { ...query, countries };
}

/** Returns the news that affects a flight, newest first. */
export function flightItems(flight: EventFlight, feed: Pick<NewsWatch, 'current'>): NewsItem[] {
  const { origin, dest, carrier, countries } = flight;
  return feed
    .current()
    .index.findTouching({ airports: [origin, dest], countries, carriers: [carrier] })
    .filter((item) => shareOfFlight(item, flight) > 0);
}

/** Returns the first items, at most as many as one answer may contain. */
export function newestItems(items: NewsItem[]): NewsItem[] {
  return items.slice(0, MAX_ITEMS);
}

/**
 * Returns the news that affects any flight on the route. Such news names an airport, a country or an airline of the
 * route.
 */
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
    .index.findTouching({ airports: [origin, dest], countries, carriers })
    .filter((item) => flights.some((flight) => shareOfFlight(item, flight) > 0));
  return newestItems(items);
}

async function fetchedAt(route: string, { redis }: RouteNewsDeps): Promise<string | undefined> {
  return (await redis.hget(NEWS_ROUTES_KEY, route).catch(() => null)) ?? undefined;
}

/**
 * Requests a fetch and waits for its end. If another process has already requested the same fetch, waits for that
 * fetch.
 */
async function requestFetch(request: FetchRequest, deps: RouteNewsDeps): Promise<FetchOutcome> {
  const { route, requestId } = request;
  const { redis, feed, now, maxWaitMs = MAX_WAIT_MS } = deps;
  const fetched = Promise.withResolvers<void>();
  const stop = feed.onRoute(route, fetched.resolve);
  let timer: NodeJS.Timeout | undefined;
  try {
    const requestedAt = now().toISOString();
    const key = newsRequestKey(route);
    // A call that causes no fetch does not count toward the limit.
    if ((await redis.exists(key)) === 0 && !(await deps.admitFetch(request))) return 'limited';
    const isFirst = (await redis.set(key, requestedAt, 'EX', FETCH_EVERY_S, 'NX')) === 'OK';
    const since = isFirst ? requestedAt : ((await redis.get(key)) ?? requestedAt);
    if (since === NEWS_REQUEST_UNANSWERED) return 'failed';
    // The wait of later callers also starts at the first request, because the worker may have ended without an answer.
    const leftMs = maxWaitMs - (now().getTime() - Date.parse(since));
    if (isFirst) {
      await redis.lpush(NEWS_REQUESTS_KEY, formatNewsRequest({ route, requestId }));
      await redis.ltrim(NEWS_REQUESTS_KEY, 0, MAX_WAITING - 1);
    } else if (await isFetchedSince(route, since, deps)) {
      return 'recent';
    } else if (leftMs < 0) {
      return 'failed';
    }
    // Do not wait if no worker is running. The request stays queued until a worker starts.
    if ((await redis.exists(NEWS_LISTENER_KEY)) === 0) return 'failed';
    timer = setTimeout(fetched.resolve, Math.min(leftMs, maxWaitMs));
    await fetched.promise;
    return (await isFetchedSince(route, since, deps)) ? 'fetched' : 'failed';
  } finally {
    clearTimeout(timer);
    stop();
  }
}

async function isFetchedSince(route: string, since: string, deps: RouteNewsDeps): Promise<boolean> {
  return ((await fetchedAt(route, deps)) ?? '') >= since;
}

/** Converts a stored item into the specification's field names and field order. */
export function newsItemOf(item: NewsItem): NewsItemBody {
  return {
    title: item.title,
    summary: item.summary,
    source: item.source,
    url: item.url,
    published_at: item.publishedAt,
    impact: item.impact,
    event_type: item.eventType,
    severity: item.severity,
  };
}
