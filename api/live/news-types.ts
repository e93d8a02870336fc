import type { FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { KnownFlight, KnownRoute } from '../scoring/flight-query.ts';
import type { NewsItem } from '../schemas/news.ts';

/** News of a route at its last fetch. */
export type RouteNews = {
  items: NewsItem[];
  fetchedAt: Date;
  /** Whether the news come from the cache and not from a fetch for this call. */
  isCached: boolean;
};

/**
 * Returns the news of a route. `isFresh` bypasses the cache; `requestId` is passed to the worker. Never fails: when the
 * sources are unavailable it returns the last known news.
 */
export type FindNews = (
  route: KnownRoute,
  isFresh: boolean,
  requestId: string,
) => Promise<RouteNews>;

/**
 * Returns when the sources of a flight's event risk were fetched (ISO); a source is absent when the risk does not use
 * it.
 */
export type EventSources = (
  query: FlightQuery,
  store: ScoreStore,
) => { newsAt?: string; airportStatusAt?: string };

/** Returns the current news that affect a flight, from memory. */
export type FlightNews = (flight: KnownFlight) => NewsItem[];
