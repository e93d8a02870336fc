/** What the map is drawn from: for every airport and the busiest routes, the risk in each hour of departure. */
export type MapData = {
  /** What is shown: a month of the year (1 to 12) and an airline's code; null: all. */
  month: number | null;
  airline: string | null;
  airlines: { iata: string; name: string }[];
  /** Outline and inner borders as paths of an SVG of that size. */
  land: { width: number; height: number; outline: string; borders: string };
  /** The busiest first. */
  airports: MapAirport[];
  routes: MapRoute[];
  /** All of them together. */
  hours: HourShares;
  first: string;
  last: string;
};

/** Thousandths of the flights of each hour, 0 to 23, to be expected late or cancelled; null where nothing leaves. */
export type HourShares = (number | null)[];

/** `x` and `y` are null where an airport lies off the map; `flights`: departures on record. */
export type MapAirport = {
  iata: string;
  city: string;
  x: number | null;
  y: number | null;
  flights: number;
  hours: HourShares;
};

/** Both airports are on the map. */
export type MapRoute = { origin: string; dest: string; hours: HourShares };
