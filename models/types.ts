import type { FlightStats } from '../warehouse/store/types.ts';
import type { Danger } from './danger.ts';
import type { RiskLabel } from './label.ts';

/** A flight to be scored; codes are upper case and known to the store. */
export type FlightQuery = {
  origin: string;
  dest: string;
  carrier: string;
  /** Local date at the origin, `YYYY-MM-DD`. */
  flightDate: string;
  /** Local hour of departure at the origin, 0 to 23; absent: whichever hour the airline flies the route in. */
  crsDepHour?: number;
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
  /** The factor on its own scale, 0 to 1. */
  value: number;
  label: RiskLabel;
  /** Points of the final score this factor gives; below 0 where it is better than for an average flight. */
  contribution: number;
};

/** What a day's weather rests on: a forecast, what the month is like there, or nothing. */
export type WeatherBasis = 'forecast' | 'climatology' | 'none';

/** Weather at one airport on the day; `undefined` fields are unknown. */
export type DayWeather = {
  /** Weather risk, 0 to 1. */
  score: number;
  condition: string;
  basis: WeatherBasis;
  /** When the forecast was fetched, ISO in UTC; only a forecast has it. */
  fetchedAt?: string;
  tempC?: number;
  windMaxKmh?: number;
  precipMaxMm?: number;
};

/** Weather at both ends of a flight; `undefined` where nothing is known. */
export type EndsWeather = { weatherDep?: DayWeather; weatherArr?: DayWeather };

/** The live inputs of one answer, read from memory; `undefined` where nothing is known. */
export type LiveInputs = EndsWeather & {
  /** What the events in force mean for the flight. */
  danger?: Danger;
  /** Calibrated P(delayed) of the model, 0 to 1, which knows of no events. */
  mlProbability?: number;
};

/** A figure of an answer that can be a placeholder: what an average flight has, for nothing is known of this one's. */
export type Placeholder =
  | 'delay_rate'
  | 'cancel_rate'
  | 'congestion_dep'
  | 'congestion_arr'
  | 'weather_dep'
  | 'weather_arr'
  | 'seasonality';

/** Which parts of a flight the history holds flights of. */
export type Held = { origin: boolean; dest: boolean; carrier: boolean };

/** What an answer rests on. */
export type Evidence = {
  held: Held;
  /** Figures nothing is known of, in one order. */
  unknown: readonly Placeholder[];
};

export type Assessment = Evidence & {
  tier: DataTier;
  /** 0 to 100, rounded once. */
  score: number;
  scoreLinear: number;
  /** Before rounding. */
  exactScore: number;
  exactLinear: number;
  /** Log-odds of being delayed or cancelled, by the statistics. */
  logOdds: number;
  scoreMl?: number;
  /** P(delayed), 0 to 1: the model's, as the events in force change it. */
  mlProbability?: number;
  /** The model's before events. */
  calmProbability?: number;
  /** P(cancelled), 0 to 1: the history's rate, as the events in force change it. */
  cancelledProbability: number;
  /** Absent while nothing in force touches the flight. */
  danger?: Danger;
  label: RiskLabel;
  recommendation: string;
  /** Highest contribution first. */
  components: Component[];
  /** Counts behind the answer; all zero in tier `no_data`. */
  stats: FlightStats;
  /** n/(n+n0), 0 to 1; `confidenceOf` says what n is. */
  confidence: number;
  congestionDep: number;
  congestionArr: number;
  weatherDep: DayWeather;
  weatherArr: DayWeather;
};
