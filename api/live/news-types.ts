import type { FlightQuery } from '../../models/types.ts';
import type { Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { KnownFlight, KnownRoute } from '../scoring/flight-query.ts';
import type { NasStatus } from '../../warehouse/live/nas.ts';
import type { NewsItem } from '../schemas/news.ts';

/** News of a route at its last fetch. */
export type RouteNews = {
  items: NewsItem[];
  /** When these news were last fetched; undefined if they never were. */
  fetchedAt: Date | undefined;
  /** Whether the news come from the cache and not from a fetch for this call. */
  isCached: boolean;
  /** Whether nothing could be fetched for the call: a requested refresh failed, or the news are too old. */
  isFailed: boolean;
};

/** The call that needs the news. */
export type NewsCaller = {
  /** Passed to the worker, for its log. */
  requestId: string;
  /** Prefix of the API key, whose refreshes are limited; absent for a call without a key. */
  keyPrefix?: string;
};

/**
 * Returns the news of a route. `isFresh` bypasses the cache. The function never fails. When the news sources are unavailable, the function returns the last known news.
 */
export type FindNews = (
  route: KnownRoute,
  isFresh: boolean,
  caller: NewsCaller,
) => Promise<RouteNews>;

/**
 * Returns when each source of a flight's event risk was fetched (ISO). Sources that the risk does not use are absent.
 */
export type EventSources = (
  query: FlightQuery,
  store: ScoreStore,
) => { newsAt?: string; airportStatusAt?: string };

/** Returns the current news that affect a flight, from memory. */
export type FlightNews = (flight: KnownFlight) => NewsItem[];

/** News that affect every flight of an airport, and the measures in force there. */
export type AirportEvents = {
  news: NewsItem[];
  /** Empty if the status of the airport is unknown. */
  measures: NasStatus['programs'];
  /** When the airport status was fetched (ISO); undefined if the last status is too old to use. */
  statusAt: string | undefined;
};

/** Returns the current events at an airport, from memory. */
export type FindAirportEvents = (airport: Airport) => AirportEvents;
