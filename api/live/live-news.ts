import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { measureShare } from '../../models/airport-measures.ts';
import { dangerOf, type Danger, type InForce } from '../../models/danger.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { NasStatus } from '../../warehouse/live/nas.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { EventSources, FindNews, FlightNews } from './news-types.ts';
import { localDay } from '../local-day.ts';
import { createMinuteMemo } from './minute-memo.ts';
import { watchNews, type Current } from './news-watch.ts';
import { newsItemOf } from './news-item.ts';
import { createFindNews, eventFlight, flightItems, shown } from './route-news.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';

/** All the API does with news. */
export type LiveNews = {
  news: FindNews;
  flightNews: FlightNews;
  /** What the events in force mean for the flight, from memory; undefined where none touches it. */
  danger: (query: FlightQuery, store: ScoreStore) => Danger | undefined;
  eventSources: EventSources;
  /** All that is known; another object whenever any of it changes. */
  known: () => object;
  /** When news and airport status were last fetched (ISO), whatever they say of a flight. */
  fetched: () => { news: string | undefined; nas: string | undefined };
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

/** The status is fetched every ten minutes; one that missed two turns says less and less of now, and nothing at twice that. */
const NAS_FRESH_MS = 30 * 60_000;

/** Keeps the news at hand and joins what is made of them. */
export function openLiveNews(deps: LiveNewsDeps): LiveNews {
  const { redis, connect, stores, now, log, patienceMs } = deps;
  const feed = watchNews({ connect, log });
  /** Measures in force say something of flights that depart today, by the calendar of the origin. */
  const statusFor = (query: FlightQuery, store: ScoreStore): NasStatus | undefined => {
    const status = feed.current().nas;
    const origin = store.airport(query.origin);
    const isToday = origin && query.flightDate === localDay(origin.timeZone, now()).date;
    return isToday && status && left(status, now()) > 0 ? status : undefined;
  };
  const measuresFor = (query: FlightQuery, store: ScoreStore): InForce[] => {
    const status = statusFor(query, store);
    return status?.programs.map((program) => ({ ...program, left: left(status, now()) })) ?? [];
  };
  const dangerFor = (query: FlightQuery, store: ScoreStore): Danger | undefined => {
    const flight = eventFlight(query, store);
    const inForce = { events: flightItems(flight, feed), measures: measuresFor(query, store) };
    return dangerOf(flight, inForce, (code) => store.airline(code)?.name, now());
  };
  const memo = createMinuteMemo<{ danger: Danger | undefined }>(now, feed.current);
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
    danger: (query, store) => {
      if (!mayBeTouched(query, store, feed.current())) return undefined;
      const { origin, dest, carrier, flightDate } = query;
      const key = `${origin} ${dest} ${carrier} ${flightDate}`;
      return memo(key, () => ({ danger: dangerFor(query, store) })).danger;
    },
    eventSources: (query, store) => {
      const newsAt = feed.current().newsAt;
      const airportStatusAt = statusFor(query, store)?.fetchedAt;
      return {
        ...(newsAt !== undefined && { newsAt }),
        ...(airportStatusAt !== undefined && { airportStatusAt }),
      };
    },
    known: feed.current,
    fetched: () => {
      const { newsAt, nas } = feed.current();
      return { news: newsAt, nas: nas?.fetchedAt };
    },
    close: feed.close,
  };
}

/** False for most flights on most days, and quick to say: nothing in force names their airports, countries or airline. */
function mayBeTouched(query: FlightQuery, store: ScoreStore, { index, nas }: Current): boolean {
  const { origin, dest, carrier } = query;
  if (nas?.programs.some((program) => measureShare(program, query) > 0)) return true;
  if (index.count === 0) return false;
  const isNamed = (iata: string) =>
    index.names('airports', iata) ||
    index.names('countries', store.airport(iata)?.countryCode ?? '');
  return isNamed(origin) || isNamed(dest) || index.names('carriers', carrier);
}

/** How much of a status is left, 0 to 1: all while it is fresh, then less by the minute. */
function left({ fetchedAt }: NasStatus, now: Date): number {
  const age = now.getTime() - Date.parse(fetchedAt);
  return Math.min(1, Math.max(0, 2 - age / NAS_FRESH_MS));
}
