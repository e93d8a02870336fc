import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { measureShare } from '../../models/airport-measures.ts';
import { dangerOf, type Danger, type ActiveMeasure } from '../../models/danger.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { NasStatus } from '../../warehouse/live/nas.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { EventSources, FindAirportEvents, FindNews, FlightNews } from './news-types.ts';
import { startOfMinute } from '../../warehouse/ground/dates.ts';
import { localDay } from '../local-day.ts';
import { createFetchLimits } from './fetch-limits.ts';
import { createMinuteCache } from './minute-cache.ts';
import type { ArchiveLivePart } from './live-states.ts';
import { watchNews, type NewsState, type NewsWatch } from './news-watch.ts';
import { createFindNews, eventFlight, flightItems, newestItems, newsItemOf } from './route-news.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';

/** Functions that find the events of a flight in memory. */
export type FlightEvents = {
  flightNews: FlightNews;
  /** Returns the danger of current events for the flight; undefined if no event affects the flight. */
  danger: (query: FlightQuery, store: ScoreStore) => Danger | undefined;
  eventSources: EventSources;
  airportEvents: FindAirportEvents;
};

/** All functions of the API that read news and events. */
export type LiveNews = FlightEvents & {
  news: FindNews;
  /** Returns the current news and airport status. The object is new after every change. */
  snapshot: () => NewsState;
  /** Returns the times (ISO) at which news and airport status were last fetched. */
  fetchTimes: () => { news: string | undefined; nas: string | undefined };
  /** Resolves once the news are read. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

export type LiveNewsDeps = {
  redis: Redis;
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  stores: Pick<StoreWatch, 'current'>;
  now: () => Date;
  /** Archives the news, so that signed answers can be computed again. Absent in processes that do not sign answers. */
  archive?: ArchiveLivePart;
  log: Logger;
  /** Maximum time in ms that an answer waits for a worker to fetch news. Default: a few seconds. */
  maxWaitMs?: number;
};

/**
 * Up to this age, the airport status has full weight. At twice this age, the weight is 0. The status is fetched every
 * ten minutes, so two fetches may fail before the weight falls.
 */
const NAS_FRESH_MS = 30 * 60_000;

/** Keeps the news in memory, and creates the functions that read them. */
export function openLiveNews(deps: LiveNewsDeps): LiveNews {
  const { redis, connect, stores, now, archive, log, maxWaitMs } = deps;
  const feed = watchNews({ connect, archive, log });
  return {
    ...createFlightEvents({ feed, stores, now }),
    news: createFindNews({
      redis,
      stores,
      feed,
      now,
      admitFetch: createFetchLimits(redis),
      ...(maxWaitMs !== undefined && { maxWaitMs }),
    }),
    snapshot: feed.current,
    fetchTimes: () => {
      const { newsAt, nas } = feed.current();
      return { news: newsAt, nas: nas?.fetchedAt };
    },
    ready: feed.ready,
    close: feed.close,
  };
}

/** Creates the functions that find the events of a flight in memory. */
export function createFlightEvents({
  feed,
  stores,
  now,
}: Pick<LiveNewsDeps, 'stores' | 'now'> & { feed: Pick<NewsWatch, 'current'> }): FlightEvents {
  const minute = () => startOfMinute(now());
  /**
   * Returns the airport status if the flight departs today in the origin's time zone. The delays and closures in the
   * status apply only to today's flights.
   */
  const currentStatus = (query: FlightQuery, store: ScoreStore): NasStatus | undefined => {
    const origin = store.airport(query.origin);
    const isToday = origin && query.flightDate === localDay(origin.timeZone, minute()).date;
    return isToday ? usableStatus() : undefined;
  };
  const usableStatus = (): NasStatus | undefined => {
    const status = feed.current().nas;
    return status && freshnessOf(status, minute()) > 0 ? status : undefined;
  };
  const activeMeasures = (query: FlightQuery, store: ScoreStore): ActiveMeasure[] => {
    const status = currentStatus(query, store);
    return (
      status?.programs.map((program) => ({
        ...program,
        freshness: freshnessOf(status, minute()),
      })) ?? []
    );
  };
  const computeDanger = (query: FlightQuery, store: ScoreStore): Danger | undefined => {
    const flight = eventFlight(query, store);
    const active = { events: flightItems(flight, feed), measures: activeMeasures(query, store) };
    return dangerOf(flight, active, (code) => store.airline(code)?.name, minute());
  };
  const dangerCache = createMinuteCache<{ danger: Danger | undefined }>(now, feed.current);
  return {
    flightNews: ({ query }) => {
      const store = stores.current();
      return store ? newestItems(flightItems(eventFlight(query, store), feed)).map(newsItemOf) : [];
    },
    danger: (query, store) => {
      if (!mayBeAffected(query, store, feed.current())) return undefined;
      const { origin, dest, carrier, flightDate } = query;
      const key = `${origin} ${dest} ${carrier} ${flightDate}`;
      return dangerCache(key, () => ({ danger: computeDanger(query, store) })).danger;
    },
    eventSources: (query, store) => {
      const newsAt = feed.current().newsAt;
      const airportStatusAt = currentStatus(query, store)?.fetchedAt;
      return {
        ...(newsAt !== undefined && { newsAt }),
        ...(airportStatusAt !== undefined && { airportStatusAt }),
      };
    },
    airportEvents: ({ iata, countryCode }) => {
      const status = usableStatus();
      const anyFlight = { origin: iata, dest: iata, carrier: '', flightDate: '' };
      const items = flightItems({ ...anyFlight, countries: [countryCode] }, feed);
      return {
        news: newestItems(items).map(newsItemOf),
        measures: status?.programs.filter(({ airport }) => airport === iata) ?? [],
        statusAt: status?.fetchedAt,
      };
    },
  };
}

/**
 * Checks quickly whether a current event names an airport, country or airline of the flight. The result is false for
 * most flights on most days.
 */
function mayBeAffected(query: FlightQuery, store: ScoreStore, { index, nas }: NewsState): boolean {
  const { origin, dest, carrier } = query;
  if (nas?.programs.some((program) => measureShare(program, query) > 0)) return true;
  if (index.count === 0) return false;
  const isNamed = (iata: string) =>
    index.isNamed('airports', iata) ||
    index.isNamed('countries', store.airport(iata)?.countryCode ?? '');
  return isNamed(origin) || isNamed(dest) || index.isNamed('carriers', carrier);
}

/** Returns the weight of an airport status: 1 for a fresh status, falling to 0 with age. */
function freshnessOf({ fetchedAt }: NasStatus, now: Date): number {
  const age = now.getTime() - Date.parse(fetchedAt);
  return Math.min(1, Math.max(0, 2 - age / NAS_FRESH_MS));
}
