/**
 * The score store as its readers see it: an immutable, versioned set of tables held in memory.
 * Every lookup is by key and answers `undefined` when the store holds nothing under it.
 */

/** What history says of a set of flights: raw counts, and the shrunk rates that feed the score. */
export type FlightStats = {
  /** Scheduled flights, cancelled and diverted ones included. */
  flightCount: number;
  /** Flights with a known delay: neither cancelled nor diverted. */
  completedCount: number;
  /** Completed flights that arrived more than 30 minutes late. */
  delayedCount: number;
  cancelledCount: number;
  /** Sum of the delays, in minutes, of the delayed flights. */
  delayedMinSum: number;
  /** Share of completed flights delayed, shrunk toward its prior, 0 to 1. */
  delayedRate: number;
  /** Share of scheduled flights cancelled, shrunk toward its prior, 0 to 1. */
  cancelledRate: number;
};

/** Shares, 0 to 1, of completed flights delayed and of scheduled flights cancelled. */
export type Rates = { delayedRate: number; cancelledRate: number };

/** First and last month of a record, `YYYY-MM`; there may be gaps between. */
export type RecordMonths = { first: string; last: string };

/** Whose flights are counted slot by slot: those from an airport, an airline's, or those of a route. */
export type RecordKind = 'origin' | 'origin_weekday' | 'carrier' | 'route';

/** Flights of one slot of a record; what a slot is depends on the kind, see the mart `record_cells`. */
export type RecordCell = { slot: number } & Pick<
  FlightStats,
  'completedCount' | 'delayedCount' | 'cancelledCount'
>;

/** What is compared with its like; see the mart `comparisons`. */
export type ComparisonKind =
  | 'carrier'
  | 'origin_carrier'
  | 'route_carrier'
  | 'route'
  | 'origin'
  | 'dest';

/** How often the flights of one are late against like flights of others. */
export type Comparison = {
  /** Its codes joined, `JFKDL`. */
  key: string;
  /** Its flights for which there are like ones, and how many of them were late. */
  completedCount: number;
  delayedCount: number;
  /** Like flights of the others, counted once for each hour they are like. */
  otherCount: number;
  /** Logarithm of how many times as often its flights are late, drawn toward 0 by its noise; and what stays open of it. */
  logRatio: number;
  logRatioSd: number;
};

/** A month of an airline, or of an airport's arrivals, in the delay-cause table, `YYYY-MM`. */
export type RecentMonth = {
  month: string;
  /** Scheduled to arrive, cancelled and diverted ones included. */
  flightCount: number;
  /** Arrived 15 minutes late or more. */
  delayed15Count: number;
  cancelledCount: number;
  divertedCount: number;
};

export type CarrierStats = FlightStats & { carrier: string };

/** `city` is empty when the reference data names none; `country` is the English name. */
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

/** Figures of the whole history, and the strength of the priors estimated from it. */
export type Network = {
  delayedRate: number;
  cancelledRate: number;
  /** Flights of evidence the airline-route prior is worth; `n0` of confidence = n/(n+n0). */
  priorFlights: number;
  /** Log-odds of a delay that effects and seasons are added to, and the delayed rate of the months it is of; see `delay_level`. */
  levelLogOdds: number;
  levelRate: number;
  /** Whether the level is that of now, by the delay-cause table, and not only that of those months. */
  isLevelNow: boolean;
  /** Days with dated flights, on which the odds of weekdays and holidays rest. */
  calendarDays: number;
};

/** Log-odds by which flights like it are delayed more often than the level, by the component of the score they belong to. */
export type EffectOdds = { delay_rate: number; congestion: number };

/**
 * Log-odds by which the flights of a group are delayed more often than all other groups they belong to expect; see
 * `delay_effects`. Of a kind with blocks of hours those of a day lie one after the other.
 */
export type EffectTable = {
  /** In the order of the places. */
  kinds: readonly string[];
  /** Hours in a block of each kind; 0: one effect for all hours. */
  hours: Int32Array;
  /** Of each kind whether a flight has as much of it as its month is deep in the half of the year. */
  isSeasonal: readonly boolean[];
  values: Float32Array;
  /** Where in `values` the effects of a flight's groups begin, kind by kind; zeros lie where a group has no history. */
  placesOf: (flight: AirlineRoute, halfYear: Season['halfYear']) => number[];
};

/** Half of the year, S from April to September, and how deep in it, 0 to 1. */
export type Season = { halfYear: 'S' | 'W'; depth: number };

/** An airline between two airports, leaving at a local hour (0 to 23) or, without one, whenever it does. */
export type AirlineRoute = { origin: string; dest: string; carrier: string; crsDepHour?: number };

/** What is known of the weather at an airport on one of its local days. */
export type WeatherReadings = {
  tempMeanC?: number;
  /** Highest of the day's hours; so are gusts and precipitation. */
  windMaxKmh?: number;
  gustMaxKmh?: number;
  precipMaxMm?: number;
  /** Sum of the day, hours of freezing rain counted in. */
  snowfallCm?: number;
  /** Lowest of the day's hours. */
  visibilityMinM?: number;
  /** The most severe WMO weather code (4677) of the day's hours. */
  weatherCode?: number;
};

/** What a month is usually like at an airport: means over its days, and the mean of their weather risk. */
export type Climatology = Pick<
  WeatherReadings,
  'tempMeanC' | 'windMaxKmh' | 'precipMaxMm' | 'snowfallCm' | 'visibilityMinM'
> & {
  /** 0 to 1; not the risk of the mean day, which has no storm. */
  risk: number;
};

export type StoreManifest = {
  /** Version of this layout; a reader refuses one it does not know. */
  schemaVersion: number;
  /** Name of the store: build time and content hash. */
  version: string;
  builtAt: string;
  /** Provider of the flight history, served as `data_provider`. */
  provider: string;
  /** Months of history in the store, `YYYY-MM`, ascending. */
  months: string[];
  /** Date of the newest flight, `YYYY-MM-DD`; null where the last month is known in sums only, as the seed is. */
  lastFlightDate: string | null;
  /** Newest month of the delay-cause table, `YYYY-MM`; absent where the history has none of it. */
  lastLevelMonth?: string;
  tables: Record<string, { file: string; rows: number; bytes: number; sha256: string }>;
  /** The model trained on such history; a store without one answers from statistics alone. */
  model?: { file: string; version: string; bytes: number; sha256: string; contract: string };
};

export type ScoreStore = {
  manifest: StoreManifest;
  network: Network;
  airport: (iata: string) => Airport | undefined;
  airline: (iata: string) => Airline | undefined;
  /** Every airport and every airline that can be asked for, flown or not, in code order. */
  airports: () => Iterable<Airport>;
  airlines: () => Iterable<Airline>;
  route: (origin: string, dest: string) => FlightStats | undefined;
  routeCarrier: (origin: string, dest: string, carrier: string) => FlightStats | undefined;
  /** Every carrier with history on the route, in code order; empty when there is none. */
  carriersOnRoute: (origin: string, dest: string) => CarrierStats[];
  /** The months the record of the carrier on the route spans. */
  recordMonths: (origin: string, dest: string, carrier: string) => RecordMonths | undefined;
  /** The flights of a place's record, slot by slot, without those that are empty; undefined where it has none. */
  recordCells: (kind: RecordKind, code: string) => RecordCell[] | undefined;
  /** Everything of a kind that is compared with its like, in the order of keys. */
  comparisons: (kind: ComparisonKind) => readonly Comparison[];
  /** The newest 24 months of the delay-cause table, oldest first; empty where it does not tell. */
  recentMonths: (kind: 'carrier' | 'dest', code: string) => RecentMonth[];
  /** Every airline-route with history, in code order. */
  airlineRoutes: () => Iterable<AirlineRoute>;
  /**
   * What the effects of a flight add up to in that season, as worked out when the store was published; `undefined` for an hour the airline does not leave in.
   */
  flightOdds: (flight: AirlineRoute, season: Season) => EffectOdds | undefined;
  /** Shrunk rates of everything from an airport, to it, or of a carrier; what the prior of a new flight rests on. */
  groupRates: (kind: 'origin' | 'dest' | 'carrier', code: string) => Rates | undefined;
  /** Congestion of the airport in that month (1 to 12) on that ISO weekday, all hours of the day, 0 to 1. */
  congestion: (iata: string, month: number, weekday: number) => number | undefined;
  /** Congestion of the airport in each local hour (0 to 23) of such a day; an hour without movements has 0. Not to be written to. */
  congestionByHour: (iata: string, month: number, weekday: number) => Float32Array | undefined;
  /**
   * Flights scheduled to depart in each local hour (0 to 23), recent months weighing more: of the carrier on the
   * route, or of all carriers when none is given. `undefined` where no history tells the hours. Not to be written to.
   */
  departureHours: (origin: string, dest: string, carrier?: string) => Float32Array | undefined;
  /** Typical weather of the airport in that month (1 to 12). */
  climatology: (iata: string, month: number) => Climatology | undefined;
  /** Odds of delay in that month (1 to 12) against the yearly average; 1 is average. */
  monthOdds: (month: number) => number;
  /** Odds of delay on that ISO weekday (1 Monday to 7 Sunday) against the weekly average. */
  weekdayOdds: (weekday: number) => number;
  /** Odds of delay that many days from the nearest public holiday (negative before it) against all days. */
  holidayOdds: (days: number) => number;
  /** Days from the nearest public holiday of the country, -3 to 3, negative before it; `undefined` when further away. */
  holidayDistance: (countryCode: string, date: string) => number | undefined;
  /** How late the groups are that flights belong to. */
  effects: EffectTable;
};
