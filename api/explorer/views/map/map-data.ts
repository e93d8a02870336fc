/** The data of the map: the risk per departure hour at every airport and on the busiest routes. */
export type MapData = {
  /** The selected month of the year (1 to 12) and airline code; null selects all. */
  month: number | null;
  airline: string | null;
  airlines: { iata: string; name: string }[];
  /** Outline and inner borders as SVG paths, with the size of the SVG. */
  land: { width: number; height: number; outline: string; borders: string };
  /** Busiest first. */
  airports: MapAirport[];
  routes: MapRoute[];
  /** All airports together. */
  hours: HourShares;
  first: string;
  last: string;
};

/** Expected share late or cancelled per hour, 0 to 23, in thousandths; null in an hour without flights. */
export type HourShares = (number | null)[];

/** `x` and `y` are null for an airport outside the map. `flights` counts departures on record. */
export type MapAirport = {
  iata: string;
  city: string;
  x: number | null;
  y: number | null;
  flights: number;
  hours: HourShares;
};

/** A route between two airports on the map. */
export type MapRoute = { origin: string; dest: string; hours: HourShares };
