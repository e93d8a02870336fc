/**
 * The score store as seen by its readers: an immutable, versioned set of tables in memory.
 * Lookups are by key and return `undefined` for an unknown key.
 */

import type { OutcomeTable } from './outcome-kinds.ts';
import type { RecentMonth } from './recent-month.ts';
import type { StoreManifest } from './store-manifest.ts';

/** Historical statistics of a set of flights, as raw counts and as shrunk rates for the score. */
export type FlightStats = {
  /** Scheduled flights, including cancelled and diverted flights. */
  flightCount: number;
  /** Flights with a known delay. Cancelled and diverted flights have no known delay. */
  completedCount: number;
  /** Completed flights that arrived more than 30 minutes late. */
  delayedCount: number;
  cancelledCount: number;
  /** Sum of the delays, in minutes, of the delayed flights. */
  delayedMinSum: number;
  /** Share of completed flights that were delayed, shrunk toward the prior of the share, 0 to 1. */
  delayedRate: number;
  /** Share of scheduled flights that were cancelled, shrunk toward the prior of the share, 0 to 1. */
  cancelledRate: number;
};

/** Share of completed flights that were delayed, and share of scheduled flights that were cancelled, 0 to 1. */
export type Rates = { delayedRate: number; cancelledRate: number };

/** First and last month of a record, `YYYY-MM`; months in between may be missing. */
export type RecordMonths = { first: string; last: string };

/** Subject of a record, which is the flights from an airport, of an airline, or of a route. */
export type RecordKind = 'origin' | 'origin_weekday' | 'carrier' | 'route';

/** Flights of one slot of a record; the mart `record_cells` defines the slots of each kind. */
export type RecordCell = { slot: number } & Pick<
  FlightStats,
  'completedCount' | 'delayedCount' | 'cancelledCount'
>;

/** Subjects of comparisons; see the mart `comparisons`. */
export type ComparisonKind =
  | 'carrier'
  | 'origin_carrier'
  | 'route_carrier'
  | 'route'
  | 'origin'
  | 'dest';

/** How often the flights of a subject are late compared with similar flights of others. */
export type Comparison = {
  /** Concatenated codes of the subject, such as `JFKDL`. */
  key: string;
  /**
   * Completed flights of the subject for which similar flights of others exist. `delayedCount` of these were delayed.
   */
  completedCount: number;
  delayedCount: number;
  /** Similar flights of others. A flight counts once for each hour in which the flight is similar. */
  otherCount: number;
  /**
   * Logarithm of the ratio between the subject's delayed rate and the delayed rate of similar flights. A noisier ratio
   * is shrunk more strongly toward 0. `logRatioSd` is the standard deviation after the shrinkage.
   */
  logRatio: number;
  logRatioSd: number;
};

export type CarrierStats = FlightStats & { carrier: string };

/** `city` is empty if the reference data has no city; `country` is the English name. */
export type Airport = {
  iata: string;
  name: string;
  city: string;
  country: string;
  countryCode: string;
  /** IANA name, for example `America/New_York`. */
  timeZone: string;
  latitude: number;
  longitude: number;
};

export type Airline = { iata: string; name: string; country: string };

/** Figures for the whole history, and the prior strength estimated from the history. */
export type Network = {
  delayedRate: number;
  cancelledRate: number;
  /** Prior strength of airline-routes in flights: `n0` in confidence = n/(n+n0). */
  priorFlights: number;
  /**
   * Log-odds of delay to which effects and seasons are added. `levelRate` is the delayed rate of the flights behind
   * these log-odds; see `delay_level`.
   */
  levelLogOdds: number;
  levelRate: number;
  /**
   * True if the level is the current level, from the delay-cause table. False if the level is that of all training
   * flights.
   */
  isLevelNow: boolean;
  /** Log-odds of delay that a congestion of 1 at one airport adds, compared with an empty hour. */
  fullHourLogOdds: number;
  /** Number of days for which flights have dates. The odds of weekdays and holidays are estimated from these days. */
  calendarDays: number;
};

/**
 * Effects of groups in log-odds. An effect says how much more often a group's flights are delayed than the other groups
 * of these flights predict; see `delay_effects`. If a kind has blocks of hours, the effects of a day are adjacent.
 */
export type EffectTable = {
  /** The kinds of effects, in the order of `positionsOf`. */
  kinds: readonly string[];
  /** Hours in a block of each kind; 0 means one effect for all hours. */
  hours: Int32Array;
  /** For each kind, whether the effect on a flight is scaled by the season depth of the flight's month. */
  isSeasonal: readonly boolean[];
  values: Float32Array;
  /**
   * Returns, for each kind, the position in `values` of the effects of the flight's group. For a group without
   * history, this is the position of zeros.
   */
  positionsOf: (flight: AirlineRoute, halfYear: Season['halfYear']) => number[];
};

/**
 * A day whose odds of delay holidays change, in log-odds relative to its month and weekday. `name` is the name of the
 * day, such as Thanksgiving Sunday. `name` is absent on the other days of a month with holidays, which balance these.
 */
export type HolidayDay = { name?: string; logOdds: number };

/** Half of the year (`S` is April to September), and the season depth from 0 to 1. */
export type Season = { halfYear: 'S' | 'W'; depth: number };

/** An airline on a route, at a local departure hour (0 to 23). Without an hour, an airline on a route at any time. */
export type AirlineRoute = { origin: string; dest: string; carrier: string; crsDepHour?: number };

/** Weather at an airport on one local day; unknown figures are absent. */
export type WeatherReadings = {
  tempMeanC?: number;
  /** Maximum over the hours of the day. Gusts and precipitation are maxima, too. */
  windMaxKmh?: number;
  gustMaxKmh?: number;
  precipMaxMm?: number;
  /** Sum over the hours of the day, including hours of freezing rain. */
  snowfallCm?: number;
  /** Minimum over the hours of the day. */
  visibilityMinM?: number;
  /** Number of hours with low visibility and frost, which is mostly heavy snow. Only of forecasts and observations. */
  coldMistHours?: number;
  /** The most severe WMO weather code (4677) among the hours of the day. */
  weatherCode?: number;
};

/**
 * Typical weather at an airport in a month, as means over the days of the month, with the mean weather risk of these
 * days.
 */
export type Climatology = Pick<
  WeatherReadings,
  'tempMeanC' | 'windMaxKmh' | 'precipMaxMm' | 'snowfallCm' | 'visibilityMinM'
> & {
  /** 0 to 1. This mean of risks differs from the risk of the mean weather, because mean weather has no storms. */
  risk: number;
};

export type ScoreStore = {
  manifest: StoreManifest;
  /** The store of the provider that has the route; without a record of the route, the American record. */
  forRoute: (origin: string, dest: string) => ScoreStore;
  /** The stores of the other providers. */
  parts: readonly ScoreStore[];
  network: Network;
  airport: (iata: string) => Airport | undefined;
  airline: (iata: string) => Airline | undefined;
  /** All airports and airlines of the reference data, with or without flights, in code order. */
  airports: () => Iterable<Airport>;
  airlines: () => Iterable<Airline>;
  route: (origin: string, dest: string) => FlightStats | undefined;
  routeCarrier: (origin: string, dest: string, carrier: string) => FlightStats | undefined;
  /** All carriers with history on the route, in code order. */
  carriersOnRoute: (origin: string, dest: string) => CarrierStats[];
  /** First and last month of the carrier's record on the route. */
  recordMonths: (origin: string, dest: string, carrier: string) => RecordMonths | undefined;
  /** Flights of a record by slot, without empty slots; undefined without a record. */
  recordCells: (kind: RecordKind, code: string) => RecordCell[] | undefined;
  /** All comparisons of a kind, in key order. */
  comparisons: (kind: ComparisonKind) => readonly Comparison[];
  /** The newest 24 months of the delay-cause table, oldest first; empty if the table lacks the code. */
  recentMonths: (kind: 'carrier' | 'dest', code: string) => RecentMonth[];
  /** All airline-routes with history, in code order. */
  airlineRoutes: () => Iterable<AirlineRoute>;
  /**
   * Summed effects of a flight's groups in a season, in log-odds relative to the level, computed when the store was
   * published; `undefined` for an hour without departures of the airline.
   */
  flightOdds: (flight: AirlineRoute, season: Season) => number | undefined;
  /**
   * Shrunk rates of all flights from an airport, to an airport, or of a carrier. If a flight has no history, its prior
   * is based on these rates.
   */
  groupRates: (kind: 'origin' | 'dest' | 'carrier', code: string) => Rates | undefined;
  /** Congestion of the airport in a month (1 to 12) on an ISO weekday, over all hours of the day, 0 to 1. */
  congestion: (iata: string, month: number, weekday: number) => number | undefined;
  /**
   * Congestion of the airport in each local hour (0 to 23) of the day; 0 for an hour without movements. Do not modify
   * the result.
   */
  congestionByHour: (iata: string, month: number, weekday: number) => Float32Array | undefined;
  /**
   * Scheduled departures in each local hour (0 to 23), with more weight on recent months. Counts one carrier on the
   * route or, if `carrier` is absent, all carriers. `undefined` if the history has no departure hours. Do not modify
   * the result.
   */
  departureHours: (origin: string, dest: string, carrier?: string) => Float32Array | undefined;
  /** Typical weather of the airport in a month (1 to 12). */
  climatology: (iata: string, month: number) => Climatology | undefined;
  /** Odds of delay in a month (1 to 12) relative to the yearly average; 1 is average. */
  monthOdds: (month: number) => number;
  /** Odds of delay on an ISO weekday (1 Monday to 7 Sunday) relative to the weekly average. */
  weekdayOdds: (weekday: number) => number;
  /** Effect of the country's holidays on a day; `undefined` on a day without such an effect. */
  holidayDay: (countryCode: string, date: string) => HolidayDay | undefined;
  /** Effects of the groups that flights belong to. */
  effects: EffectTable;
  /** Effects on the steps from one outcome to the next. */
  outcomes: OutcomeTable;
};
