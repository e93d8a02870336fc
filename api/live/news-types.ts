import type { FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { KnownFlight, KnownRoute } from '../scoring/flight-query.ts';
import type { NewsItem } from '../schemas/news.ts';

/** The news of one route as of its last fetch. */
export type RouteNews = {
  items: NewsItem[];
  fetchedAt: Date;
  /** Whether they were there already, rather than fetched for this call. */
  isCached: boolean;
};

/** Finds the news of a route; `isFresh` passes the cache by; the fetch carries the id of the request. Never fails: without upstreams the list is what it was. */
export type FindNews = (
  route: KnownRoute,
  isFresh: boolean,
  requestId: string,
) => Promise<RouteNews>;

/** When what the risk from events rests on was fetched (ISO); absent: it has no part in that flight's risk. */
export type EventSources = (
  query: FlightQuery,
  store: ScoreStore,
) => { newsAt?: string; airportStatusAt?: string };

/** The news known now that touch a flight, from memory. */
export type FlightNews = (flight: KnownFlight) => NewsItem[];
