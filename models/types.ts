import type { FlightStats, HolidayDay } from '../warehouse/store/types.ts';
import type { Danger } from './danger.ts';
import type { RiskLabel } from './label.ts';

/**
 * A flight to score; codes are upper case and known to the store. Endpoints that score many flights write all fields in
 * this order, also absent ones, because scoring is about 4 % faster if all queries have one shape.
 */
export type FlightQuery = {
  origin: string;
  dest: string;
  carrier: string;
  /** Local date at the origin, `YYYY-MM-DD`. */
  flightDate: string;
  /**
   * Local hour of departure at the origin, 0 to 23. If absent, the answer is the mean over the hours in which the
   * airline flies the route.
   */
  crsDepHour?: number | undefined;
  /** Whether `carrier` is a brand with several operators on the route; absent for an operator. */
  isBrand?: true | undefined;
};

export type DataTier = 'exact' | 'route_any_airline' | 'no_data';

export type ComponentKey =
  | 'delay_rate'
  | 'cancel_rate'
  | 'congestion'
  | 'weather'
  | 'seasonality'
  | 'event_risk';

export type Component = {
  key: ComponentKey;
  name: string;
  /** The factor's value on its own scale, 0 to 1. */
  value: number;
  label: RiskLabel;
  /** Points of the final score from this factor. */
  contribution: number;
  /** Points that this factor adds compared with an average flight; 0 for an unknown factor. */
  aboveAverage: number;
};

/** Basis of a day's weather: a forecast, the usual weather of the month, or no data. */
export type WeatherBasis = 'forecast' | 'climatology' | 'none';

/** Weather at one airport on the day; `undefined` fields are unknown. */
export type DayWeather = {
  /** Weather risk, 0 to 1. */
  score: number;
  condition: string;
  basis: WeatherBasis;
  /** When the forecast was fetched, ISO in UTC; present only for a forecast. */
  fetchedAt?: string;
  tempC?: number;
  windMaxKmh?: number;
  precipMaxMm?: number;
  /** Log-odds of cancellation relative to a usual day; present only for a forecast. */
  cancelOdds?: number;
};

/** Weather at both ends of a flight; `undefined` if unknown. */
export type EndsWeather = {
  weatherDep?: DayWeather | undefined;
  weatherArr?: DayWeather | undefined;
};

/** The live inputs of one answer, read from memory; `undefined` fields are unknown. */
export type LiveInputs = EndsWeather & {
  /** Effect of the events in force on the flight. */
  danger?: Danger | undefined;
  /** The model's calibrated P(delayed), 0 to 1, without events. */
  mlProbability?: number | undefined;
};

/** A figure that can be a placeholder: if the value of a flight is unknown, the value of an average flight is used. */
export type Placeholder =
  | 'delay_rate'
  | 'cancel_rate'
  | 'congestion_dep'
  | 'congestion_arr'
  | 'weather_dep'
  | 'weather_arr'
  | 'seasonality';

/** Whether the history has flights at the origin, at the destination and of the airline. */
export type PartsOnRecord = { origin: boolean; dest: boolean; carrier: boolean };

/** The evidence behind an answer. */
export type Evidence = {
  hasRecord: PartsOnRecord;
  /** Figures that are placeholders, in the order of `PLACEHOLDERS`. */
  unknown: readonly Placeholder[];
  /** Last month of the record that is used, `YYYY-MM`. Absent if there is no record or if its last month is unknown. */
  recordEnd?: string;
  /** Worth of the record at its age, 0 to 1. */
  recordWorth: number;
  /** Last month of the airline, `YYYY-MM`; absent if the airline still exists. */
  ended?: string;
  /** Whether the history shows how delays change over the day, at the origin or in the country of the origin. */
  isHourKnown: boolean;
};

export type Assessment = Evidence & {
  tier: DataTier;
  /** 0 to 100, rounded once. */
  score: number;
  scoreLinear: number;
  /** Before rounding. */
  exactScore: number;
  exactLinear: number;
  /** Log-odds of being delayed or cancelled, from the statistics. */
  logOdds: number;
  scoreMl?: number;
  /** P(delayed), 0 to 1, from the model, adjusted for the events in force. */
  mlProbability?: number;
  /** The model's P(delayed) without events. */
  calmProbability?: number;
  /** P(cancelled), 0 to 1, from the history's rate, adjusted for the events in force. */
  cancelledProbability: number;
  /** Effect of a holiday on the day. Absent if no holiday has an effect, or if there is no evidence for the season. */
  holiday?: HolidayDay;
  /** Absent when no event in force affects the flight. */
  danger?: Danger;
  label: RiskLabel;
  /** Highest contribution first. */
  components: Component[];
  /** Counts behind the answer; all zero in tier `no_data`. */
  stats: FlightStats;
  /** n/(n+n0), 0 to 1; `confidenceOf` defines n. */
  confidence: number;
  congestionDep: number;
  congestionArr: number;
  weatherDep: DayWeather;
  weatherArr: DayWeather;
};
