/**
 * The interface of the score store: an immutable version of its tables in memory. Look-ups return `undefined` for an
 * unknown key.
 */

import type { BrandRecord } from './brand-record.ts';
import type { FlightNumbers } from './number-schedule.ts';
import type { OutcomeTable } from './outcome-kinds.ts';
import type { RecentMonth } from './recent-month.ts';
import type { StoreManifest } from './store-manifest.ts';

/** Statistics of a group of flights: counts, and the shrunk rates that the score uses. */
export type FlightStats = {
  /** Scheduled flights, including cancelled and diverted flights. */
  flightCount: number;
  /** Flights with a known delay. Cancelled and diverted flights are not completed. */
  completedCount: number;
  /** Completed flights that arrived more than 30 minutes late. */
  delayedCount: number;
  cancelledCount: number;
  /** Sum of the delays, in minutes, of the delayed flights. */
  delayedMinSum: number;
  /** Share of completed flights that were delayed, shrunk toward its prior, 0 to 1. */
  delayedRate: number;
  /** Share of scheduled flights that were cancelled, shrunk toward its prior, 0 to 1. */
  cancelledRate: number;
};

/** Share of completed flights that were delayed, and share of scheduled flights that were cancelled, 0 to 1. */
export type Rates = { delayedRate: number; cancelledRate: number };

/** First and last month of a record, `YYYY-MM`. Months in between may be missing. */
export type RecordMonths = { first: string; last: string };

/** Kinds of records: flights from an airport (by month or weekday), of an operator, of a brand, or of a route. */
export type RecordKind = 'origin' | 'origin_weekday' | 'carrier' | 'brand' | 'route';

/** Flights in one slot of a record, for example in an hour of a month. The mart `record_cells` defines the slots. */
export type RecordCell = { slot: number } & Pick<
  FlightStats,
  'completedCount' | 'delayedCount' | 'cancelledCount'
>;

/** Kinds of comparisons; see the mart `comparisons`. */
export type ComparisonKind =
  | 'carrier'
  | 'origin_carrier'
  | 'route_carrier'
  | 'brand'
  | 'origin_brand'
  | 'route_brand'
  | 'route'
  | 'origin'
  | 'dest';

/** Late flights of an airline, airport or route, compared with similar other flights. */
export type Comparison = {
  /** Codes of the compared airline and airports, one after another, such as `JFKDL`. */
  key: string;
  /** Completed flights for which there are similar other flights. `delayedCount` of them were delayed. */
  completedCount: number;
  delayedCount: number;
  /** Number of similar other flights. A flight counts once for each hour in which it is similar. */
  otherCount: number;
  /**
   * Logarithm of the ratio of two delayed rates: the rate of these flights, divided by the rate of the similar flights.
   * Noisy ratios are shrunk toward 0. `logRatioSd` is the standard deviation that remains.
   */
  logRatio: number;
  logRatioSd: number;
};

export type CarrierStats = FlightStats & { carrier: string };

/** `city` is empty if the reference data has no city. `country` is the English name. */
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

/** Figures over the whole history, with the prior strengths estimated from it. */
export type Network = {
  delayedRate: number;
  cancelledRate: number;
  /** n0 in confidence = n/(n+n0): the weight of the prior of an airline-route, in flights. */
  priorFlights: number;
  /**
   * The level: log-odds of delay to which effects and seasons are added. The level is computed from flights with the
   * delayed rate `levelRate`; see `delay_level`.
   */
  levelLogOdds: number;
  levelRate: number;
  /**
   * Whether the level is the current level, from the delay-cause table. Otherwise it is the level of all training
   * flights.
   */
  isLevelNow: boolean;
  /** Log-odds of delay that a congestion of 1 at one airport adds, compared with an empty hour. */
  fullHourLogOdds: number;
  /** Number of days that have flights with dates. The odds of weekdays and holidays are estimated from these days. */
  calendarDays: number;
};

/**
 * Effects of groups: the log-odds of delay of a group's flights minus the log-odds that their other groups predict; see
 * `delay_effects`. If a kind has blocks of hours, the effects of one day are next to each other.
 */
export type EffectTable = {
  /** The kinds of effects, in the order of `positionsOf`. */
  kinds: readonly string[];
  /** For each kind, the length of its blocks in hours; 0 means one effect for the whole day. */
  hours: Int32Array;
  /** For each kind, whether its effect is multiplied by the season depth of the flight's month. */
  isSeasonal: readonly boolean[];
  values: Float32Array;
  /** Returns, for each kind, where in `values` the effects of the flight's group start; zeros without history. */
  positionsOf: (flight: AirlineRoute, halfYear: Season['halfYear']) => number[];
};

/**
 * Effect of holidays on a day, in log-odds relative to its month and weekday. `name` is the name of the day, such as
 * Thanksgiving Sunday. Other days of a month with holidays have an effect without a name, so that the effects of the
 * month add up to 0.
 */
export type HolidayDay = { name?: string; logOdds: number };

/** A half-year (`S` from April to September, otherwise `W`) and the season depth, 0 to 1. */
export type Season = { halfYear: 'S' | 'W'; depth: number };

/** An airline on a route. `crsDepHour` limits it to one local departure hour, 0 to 23. */
export type AirlineRoute = {
  origin: string;
  dest: string;
  carrier: string;
  crsDepHour?: number | undefined;
};

/** Weather at an airport on one local day. Unknown figures are absent. */
export type WeatherReadings = {
  tempMeanC?: number;
  /** Maximum over the hours of the day, like gusts and precipitation. */
  windMaxKmh?: number;
  gustMaxKmh?: number;
  precipMaxMm?: number;
  /** Sum over the hours of the day. Hours of freezing rain count as snowfall. */
  snowfallCm?: number;
  /** Minimum over the hours of the day. */
  visibilityMinM?: number;
  /**
   * Hours with both low visibility and frost, mostly heavy snow. The archive of past weather does not have them.
   */
  coldMistHours?: number;
  /** The most severe WMO weather code (4677) among the hours of the day. */
  weatherCode?: number;
};

/** Typical weather at an airport in a month: means over its days, and the mean weather risk of its days. */
export type Climatology = Pick<
  WeatherReadings,
  'tempMeanC' | 'windMaxKmh' | 'precipMaxMm' | 'snowfallCm' | 'visibilityMinM'
> & {
  /**
   * 0 to 1. The mean of the daily risks; the risk of the mean weather would be lower, because mean weather has no
   * storms.
   */
  risk: number;
};

export type ScoreStore = {
  manifest: StoreManifest;
  /** Returns the store of the provider that has the route, or the American record if no provider has it. */
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
  /** The flights that a brand sells on a route. Undefined if the airline operates all of them itself. */
  brand: (origin: string, dest: string, code: string) => BrandRecord<FlightStats> | undefined;
  /** The brands for which other airlines operate flights on the route, in code order. */
  brandsOnRoute: (origin: string, dest: string) => readonly string[];
  /** All routes on which other airlines operate flights for a brand, in code order; `carrier` is the brand. */
  brandRoutes: () => Iterable<AirlineRoute>;
  /** First and last month of the carrier's record on the route. */
  recordMonths: (origin: string, dest: string, carrier: string) => RecordMonths | undefined;
  /** Returns the flights of a record by slot, without empty slots; undefined if there is no record. */
  recordCells: (kind: RecordKind, code: string) => RecordCell[] | undefined;
  /** All comparisons of a kind, in key order. */
  comparisons: (kind: ComparisonKind) => readonly Comparison[];
  /** Returns the newest 24 months of the delay-cause table, oldest first; empty if the table does not have the code. */
  recentMonths: (kind: 'carrier' | 'dest', code: string) => RecentMonth[];
  /** All airline-routes with history, in code order. */
  airlineRoutes: () => Iterable<AirlineRoute>;
  /**
   * Returns the summed effects of a flight's groups in a season, in log-odds relative to the level, as computed at the
   * publish. `undefined` for an hour in which the airline has no departures.
   */
  flightOdds: (flight: AirlineRoute, season: Season) => number | undefined;
  /**
   * Returns the shrunk rates of all flights from an airport, to an airport, or of a carrier. The prior of a flight
   * without history is computed from these rates.
   */
  groupRates: (kind: 'origin' | 'dest' | 'carrier', code: string) => Rates | undefined;
  /** Schedules by flight number. */
  flightNumbers: FlightNumbers;
  /**
   * Returns the congestion of the airport, 0 to 1, in a month (1 to 12) on an ISO weekday, over all hours of the day.
   */
  congestion: (iata: string, month: number, weekday: number) => number | undefined;
  /**
   * Returns the congestion of the airport in each local hour of the day, 0 to 23; 0 for an hour without movements. Do
   * not modify the result.
   */
  congestionByHour: (iata: string, month: number, weekday: number) => Float32Array | undefined;
  /**
   * Returns the scheduled departures in each local hour, 0 to 23. Recent months have more weight. Counts one carrier
   * or, if `carrier` is absent, all carriers of the route. `undefined` if the history has no departure hours. Do not
   * modify the result.
   */
  departureHours: (origin: string, dest: string, carrier?: string) => Float32Array | undefined;
  /** Typical weather of the airport in a month (1 to 12). */
  climatology: (iata: string, month: number) => Climatology | undefined;
  /** Odds of delay in a month (1 to 12) relative to the yearly average; 1 is average. */
  monthOdds: (month: number) => number;
  /** Odds of delay on an ISO weekday (1 Monday to 7 Sunday) relative to the weekly average. */
  weekdayOdds: (weekday: number) => number;
  /** Returns the effect of the country's holidays on a day; `undefined` if there is no effect. */
  holidayDay: (countryCode: string, date: string) => HolidayDay | undefined;
  /** Effects of groups of flights. */
  effects: EffectTable;
  /** Effects on the steps from one outcome to the next. */
  outcomes: OutcomeTable;
};
