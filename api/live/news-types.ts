import type { FlightQuery } from '../../models/types.ts';
import type { Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { KnownFlight, KnownRoute } from '../scoring/flight-query.ts';
import type { NasStatus } from '../../warehouse/live/nas.ts';
import type { NewsItem } from '../schemas/news.ts';

/** News of a route at the last fetch. */
export type RouteNews = {
  items: NewsItem[];
  /** Time of the last fetch; undefined if the news was never fetched. */
  fetchedAt: Date | undefined;
  /** Whether the news was fetched before this call. */
  isCached: boolean;
  /** Whether the news may be outdated, because a requested refresh failed or the last fetch is too old. */
  isFailed: boolean;
};

/** The call that needs the news. */
export type NewsCaller = {
  /** The worker logs this id. */
  requestId: string;
  /** Prefix of the API key; absent for a call without a key. The number of refreshes per key is limited. */
  keyPrefix?: string;
};

/**
 * Returns the news of a route. `isFresh` requests a new fetch. The function never fails: while the news sources are
 * unavailable, it returns the last known news.
 */
export type FindNews = (
  route: KnownRoute,
  isFresh: boolean,
  caller: NewsCaller,
) => Promise<RouteNews>;

/**
 * Returns the time (ISO) at which each source of a flight's event risk was fetched. Sources that the risk does not use
 * are absent.
 */
export type EventSources = (
  query: FlightQuery,
  store: ScoreStore,
) => { newsAt?: string; airportStatusAt?: string };

/** Finds the current news that affects a flight, in memory. */
export type FlightNews = (flight: KnownFlight) => NewsItem[];

/** News that affects every flight of an airport, and the FAA's current delay programs at the airport. */
export type AirportEvents = {
  news: NewsItem[];
  /** The FAA's current delay programs at the airport. Empty if the airport status is unknown. */
  measures: NasStatus['programs'];
  /** Time (ISO) at which the airport status was fetched; undefined if the status is too old to use. */
  statusAt: string | undefined;
};

/** Finds the current events at an airport, in memory. */
export type FindAirportEvents = (airport: Airport) => AirportEvents;
