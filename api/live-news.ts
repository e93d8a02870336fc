import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { eventRisk } from '../models/event-risk.ts';
import type { FlightQuery } from '../models/types.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FindNews, FlightNews } from './news.ts';
import { openNewsFeed } from './news-feed.ts';
import { newsItemOf } from './presenters/news-item.ts';
import { createFindNews, eventFlight, flightItems, shown } from './route-news.ts';
import type { StoreFeed } from './store-feed.ts';

/** All the API does with news. */
export type LiveNews = {
  news: FindNews;
  flightNews: FlightNews;
  /** Risk of the flight from current events, 0 to 1; from memory. */
  eventRisk: (query: FlightQuery, store: ScoreStore) => number;
  close: () => Promise<void>;
};

export type LiveNewsDeps = {
  redis: Redis;
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  stores: Pick<StoreFeed, 'current'>;
  now: () => Date;
  log: Logger;
};

/** Keeps the news at hand and joins what is made of them. */
export function openLiveNews({ redis, connect, stores, now, log }: LiveNewsDeps): LiveNews {
  const feed = openNewsFeed({ connect, log });
  return {
    news: createFindNews({ redis, stores, feed, now }),
    flightNews: ({ query }) => {
      const store = stores.current();
      return store ? shown(flightItems(eventFlight(query, store), feed)).map(newsItemOf) : [];
    },
    eventRisk: (query, store) => {
      const flight = eventFlight(query, store);
      return eventRisk(flight, flightItems(flight, feed), now());
    },
    close: feed.close,
  };
}
