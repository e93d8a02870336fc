import type { Label } from '../../../schemas/label.ts';
import type { InferredBody, OperatorBody } from '../brands-data.ts';
import type { NewsItem } from '../../../schemas/news.ts';
import type { ScoreBody } from '../../../schemas/score.ts';
import type { AirportName } from '../places/places-data.ts';

/** Departures in one hour. `share` is null if fewer than half of the departures have a probability. */
export type TodayHour = {
  hour: number;
  /** The hour's share of the day's departures. */
  flights: number;
  /** Mean probability of being late or cancelled. */
  share: number | null;
  /** Mean score. */
  score: number;
};

/** An airline's departures to one destination in one hour. */
export type TodayFlight = {
  dest: string;
  city: string;
  airline: string;
  airline_name: string;
  hour: number;
  score: number;
  label: Label;
  share: number | null;
  /** The operators in this hour; empty if the airline operates all flights itself. */
  operators: OperatorBody[];
  inferred: InferredBody;
};

/** Data of an airport's board. */
export type TodayData = {
  airport: AirportName & { time_zone: string };
  /** Local date and time, `YYYY-MM-DD` and `HH:MM`. */
  date: string;
  time: string;
  /** Hours with at least one in a thousand of the day's departures. */
  hours: TodayHour[];
  /** Averages from the current hour to the end of the day; null if no departures remain. */
  rest: { share: number | null; score: number } | null;
  /** Departures with the highest probabilities, from the current hour on. Each airline and destination appears once. */
  risks: TodayFlight[];
  /** The probability of the average flight on all routes of the record; null without departures. */
  average: number | null;
  /** Today's weather at the airport, as in `/api/score`, and the age of the forecast; null without departures. */
  weather: {
    reading: ScoreBody['weather_dep'];
    basis: 'forecast' | 'climatology' | 'none';
    age_min: number | null;
  } | null;
  /** Airport status of the FAA, which covers only American airports. `age_min` is null without a current status. */
  status: { is_covered: boolean; age_min: number | null; measures: TodayMeasure[] };
  /** News that affects every flight of the airport. `age_min` is null if no news was fetched. */
  news: { age_min: number | null; items: NewsItem[] };
};

export type TodayMeasure = {
  kind: 'stop' | 'delay' | 'closure' | 'departures' | 'arrivals';
  /** Reason, as the FAA published it. */
  reason: string;
};
