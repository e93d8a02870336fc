import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { eventRisk } from '../../models/event-risk.ts';
import { nasRisk } from '../../models/nas-risk.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { NasStatus } from '../../warehouse/live/nas.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { EventSources, FindNews, FlightNews } from './news.ts';
import { localDay } from '../local-day.ts';
import { createMinuteMemo } from './minute-memo.ts';
import { watchNews } from './news-watch.ts';
import { newsItemOf } from './news-item.ts';
import { createFindNews, eventFlight, flightItems, shown } from './route-news.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';

/** All the API does with news. */
export type LiveNews = {
  news: FindNews;
  flightNews: FlightNews;
  /** Risk of the flight from current events, 0 to 1; from memory. */
  eventRisk: (query: FlightQuery, store: ScoreStore) => number;
  eventSources: EventSources;
  close: () => Promise<void>;
};

export type LiveNewsDeps = {
  redis: Redis;
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  stores: Pick<StoreWatch, 'current'>;
  now: () => Date;
  log: Logger;
  /** How long an answer may wait for the worker; a few seconds when absent. */
  patienceMs?: number;
};

/** The status is fetched every ten minutes; one that missed two turns says nothing of now. */
const NAS_MAX_AGE_MS = 30 * 60_000;

/** Keeps the news at hand and joins what is made of them. */
export function openLiveNews(deps: LiveNewsDeps): LiveNews {
  const { redis, connect, stores, now, log, patienceMs } = deps;
  const feed = watchNews({ connect, log });
  /** Measures in force say something of flights that depart today, by the calendar of the origin. */
  const statusFor = (query: FlightQuery, store: ScoreStore): NasStatus | undefined => {
    const status = feed.current().nas;
    const origin = store.airport(query.origin);
    const isToday = origin && query.flightDate === localDay(origin.timeZone, now()).date;
    const isFresh = status && now().getTime() - Date.parse(status.fetchedAt) <= NAS_MAX_AGE_MS;
    return isToday && isFresh ? status : undefined;
  };
  const riskOf = (query: FlightQuery, store: ScoreStore): number => {
    const flight = eventFlight(query, store);
    const ofNews = eventRisk(flight, flightItems(flight, feed), now());
    return 1 - (1 - ofNews) * (1 - nasRisk(query, statusFor(query, store)?.programs ?? []));
  };
  const memo = createMinuteMemo<number>(now, feed.current);
  return {
    news: createFindNews({
      redis,
      stores,
      feed,
      now,
      ...(patienceMs !== undefined && { patienceMs }),
    }),
    flightNews: ({ query }) => {
      const store = stores.current();
      return store ? shown(flightItems(eventFlight(query, store), feed)).map(newsItemOf) : [];
    },
    eventRisk: (query, store) => {
      const { origin, dest, carrier, flightDate } = query;
      return memo(`${origin} ${dest} ${carrier} ${flightDate}`, () => riskOf(query, store));
    },
    eventSources: (query, store) => {
      const newsAt = feed.current().newsAt;
      const airportStatusAt = statusFor(query, store)?.fetchedAt;
      return {
        ...(newsAt !== undefined && { newsAt }),
        ...(airportStatusAt !== undefined && { airportStatusAt }),
      };
    },
    close: feed.close,
  };
}
