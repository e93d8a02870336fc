/** The data of the pages of airports, airlines and routes. */

import type { InferredBody, OperatorBody, SellerBody } from '../brands-data.ts';

/** A share of late or cancelled flights (0 to 1), and its points on the scale of the score. */
export type Risk = { share: number; score: number };

/** Rows of 24 hours; null for an hour without flights. `flights` is the hour's share of all flights in its row. */
export type RiskGrid = ((Risk & { flights: number }) | null)[][];

/**
 * `flights`: flights with a known delay. `late`: flights with a delay of more than 30 minutes. `cancelled`: cancelled
 * flights, which are not part of `flights`.
 */
export type FlightCounts = { flights: number; late: number; cancelled: number };

/**
 * `flights`: all scheduled flights. `completed`: flights with a known delay. `late`: flights more than 30 minutes late.
 * `cancelled`: cancelled flights.
 */
export type RecordTotals = { flights: number; completed: number; late: number; cancelled: number };

/**
 * Compares flights with similar flights. `ratio` is the share of late flights, divided by the share of late flights
 * among similar flights. The 90% interval of the ratio is `low` to `high`.
 */
export type ComparisonBody = {
  /** Number of flights that have similar flights for comparison. */
  flights: number;
  /** Number of late flights among `flights`. */
  late: number;
  /** Number of similar flights by others. */
  others: number;
  ratio: number;
  low: number;
  high: number;
};

/** An airline, airport or route, compared with similar flights. */
export type ComparedItem = ComparisonBody & {
  code: string;
  name: string;
  address: string;
  /** Expected risk of the item's flights now. */
  usual: Risk | null;
  /** Share of the item's flights with an inferred brand; absent if the item is not an airline. */
  inferred?: InferredBody;
};

/** A month (`YYYY-MM`) of the delay-cause table. `late15` is the number of flights at least 15 minutes late. */
export type RecentMonthBody = {
  month: string;
  flights: number;
  late15: number;
  cancelled: number;
  diverted: number;
};

/** First and last month of the history, `YYYY-MM`, and the number of months. */
export type Span = { first: string; last: string; months: number };

/** First and last month of a record, `YYYY-MM`. Months in between may be missing. */
export type RecordEnds = { first: string; last: string } | null;

/** `country_code` is the ISO 3166 code. */
export type AirportName = {
  iata: string;
  name: string;
  city: string;
  country: string;
  country_code: string;
};

export type AirportData = {
  airport: AirportName & { time_zone: string };
  record_ends: RecordEnds;
  /** The record of the airport's departures. */
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  /** Expected risk of the airport's departures and arrivals now. */
  usual: { departures: Risk | null; arrivals: Risk | null };
  routes: number;
  /** Departures by month and hour. */
  by_month: (FlightCounts | null)[][] | null;
  /** Departures by weekday and hour. Null if the history does not have the days of flights. */
  by_weekday: (FlightCounts | null)[][] | null;
  /** The usual risk, by weekday and hour. */
  usual_by_weekday: RiskGrid;
  /** The airport's departures and arrivals, compared with those of other airports. */
  compared: { departures: ComparisonBody | null; arrivals: ComparisonBody | null };
  airlines: ComparedItem[];
  /** The routes of the airport that are late least often and most often, each compared with similar flights. */
  rated_routes: ComparedItem[];
  /** Number of comparable routes. */
  compared_routes: number;
  /** The airport's routes with the most flights. */
  busiest: { dest: string; city: string; flights: number; usual: Risk | null }[];
  recent: RecentMonthBody[];
};

export type AirlineData = {
  airline: { iata: string; name: string; country: string };
  /** Last month of flights if the airline no longer exists, otherwise null. */
  ended: string | null;
  record_ends: RecordEnds;
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  usual: Risk | null;
  routes: number;
  by_month: (FlightCounts | null)[][] | null;
  usual_by_weekday: RiskGrid;
  compared: ComparisonBody | null;
  /** All airlines, each compared with other airlines on the same routes. */
  rivals: ComparedItem[];
  /** The airports where the airline is late least often and most often, each compared with similar flights. */
  rated_airports: ComparedItem[];
  compared_airports: number;
  rated_routes: ComparedItem[];
  compared_routes: number;
  busiest: {
    origin: string;
    dest: string;
    name: string;
    flights: number;
    usual: Risk | null;
    inferred: InferredBody;
  }[];
  recent: RecentMonthBody[];
  /** Who operates the flights that the airline sells; empty for an airline that only operates flights. */
  operators: OperatorBody[];
  /** The other airlines that sell this airline's flights. */
  sellers: SellerBody[];
  /** Share of the airline's record with an inferred brand. */
  inferred: InferredBody;
};

export type RouteData = {
  origin: AirportName;
  dest: AirportName;
  distance_km: number;
  record_ends: RecordEnds;
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  usual: Risk | null;
  by_month: (FlightCounts | null)[];
  by_hour: (FlightCounts | null)[];
  usual_by_weekday: RiskGrid;
  usual_by_month: RiskGrid;
  compared: ComparisonBody | null;
  airlines: {
    iata: string;
    name: string;
    record: RecordTotals;
    usual: Risk | null;
    compared: ComparisonBody | null;
    first: string;
    last: string;
    /** Whether the airline has flights in the newest twelve months of the route's record. */
    is_current: boolean;
    /** Who operates the flights; empty if the airline operates all of them itself. */
    operators: OperatorBody[];
    inferred: InferredBody;
  }[];
  /** Whether the record has flights in the other direction. */
  has_return: boolean;
};

/** Number of airports or airlines of a country. `code` is the ISO 3166 code. */
export type CountryCount = { code: string; name: string; items: number };

/** Figures of an airport or airline, as on its own page. */
export type CountryFigures = {
  code: string;
  name: string;
  address: string;
  /** Number of flights on record. */
  flights: number;
  /** Share of late flights in the record; null without completed flights. */
  late_share: number | null;
  /** Expected risk now; null if the record has no hours of departure. */
  usual: Risk | null;
  compared: Pick<ComparisonBody, 'ratio' | 'low' | 'high'> | null;
};

/** Airlines or airports, compared with similar flights. */
export type RankingData = {
  of: 'airlines' | 'airports';
  /** The countries with airlines or airports in any record. */
  countries: CountryCount[];
  /** The compared country. Null if all items of the largest record are compared. */
  country: { code: string; name: string } | null;
  /** All airlines or airports of `country`, busiest first; empty without `country`. */
  figures: CountryFigures[];
  span: Span;
  rated: ComparedItem[];
  /** Airlines that operate flights for others, in the order of their names; empty for airports. */
  operators: { code: string; name: string; sellers: SellerBody[] }[];
  /** The route with the most flights. */
  busiest: { origin: string; dest: string } | null;
};
