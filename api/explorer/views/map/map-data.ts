import type { InferredBody } from '../brands-data.ts';

/** Data of the map: the risk in each departure hour, at every airport and on the busiest routes. */
export type MapData = {
  region: 'world' | 'us';
  /** Whether there is a map of the United States too. */
  has_us: boolean;
  /** Selected month of the year (1 to 12) and airline code; null means all. */
  month: number | null;
  airline: string | null;
  /** `is_partner`: whether other airlines sell most of the airline's flights. */
  airlines: { iata: string; name: string; is_partner: boolean }[];
  /** Share of the selected airline's flights with an inferred brand. */
  inferred: InferredBody;
  /** Outline and inner borders as SVG paths, with the size of the SVG and the highest zoom factor. */
  land: { width: number; height: number; max_zoom: number; outline: string; borders: string };
  /** Busiest first, by departures per month. */
  airports: MapAirport[];
  routes: MapRoute[];
  /** All airports together. */
  hours: HourShares;
  first: string;
  last: string;
};

/**
 * Expected share of late or cancelled flights in each hour (0 to 23), in thousandths; null for an hour without flights.
 */
export type HourShares = (number | null)[];

/**
 * Shares of late or cancelled flights by hour. If the hours of most flights are unknown, `day` is the share for the
 * whole day. Otherwise, `day` is null.
 */
export type DayShares = { hours: HourShares; day: number | null };

/**
 * An airport of the map. `x` and `y` are null if the airport is outside the map. `flights` is the number of departures
 * in the record. `monthly` is the mean number of departures per month.
 */
export type MapAirport = {
  iata: string;
  city: string;
  x: number | null;
  y: number | null;
  flights: number;
  monthly: number;
} & DayShares;

/** A route between two airports on the map. */
export type MapRoute = { origin: string; dest: string } & DayShares;
