import type { Label } from '../../../schemas/label.ts';
import type { NewsItem } from '../../../schemas/news.ts';
import type { ScoreBody } from '../../../schemas/score.ts';
import type { AirportName } from '../places/places-data.ts';

/** The departures of an hour. `share` is null if less than half of the departures have a probability. */
export type TodayHour = {
  hour: number;
  /** The hour's share of the day's departures. */
  flights: number;
  /** Mean probability of being late or cancelled. */
  share: number | null;
  /** Mean score. */
  score: number;
};

/** A departure of an airline to a destination in an hour. */
export type TodayFlight = {
  dest: string;
  city: string;
  airline: string;
  airline_name: string;
  hour: number;
  score: number;
  label: Label;
  share: number | null;
};

/** The data of the board of an airport. */
export type TodayData = {
  airport: AirportName & { time_zone: string };
  /** Local date and time, `YYYY-MM-DD` and `HH:MM`. */
  date: string;
  time: string;
  /** The hours with at least one in a thousand of the departures. */
  hours: TodayHour[];
  /** Mean over the current hour and the later hours; null if no departures remain. */
  rest: { share: number | null; score: number } | null;
  /** Departures with the highest scores from the current hour on, one for each airline and destination. */
  risks: TodayFlight[];
  /** The probability of an average flight; null without departures on record. */
  typical: number | null;
  /** The weather today at the airport, as in `/api/score`, and the age of its forecast; null without departures. */
  weather: {
    reading: ScoreBody['weather_dep'];
    basis: 'forecast' | 'climatology' | 'none';
    age_min: number | null;
  } | null;
  /** The airport status of the FAA, which covers American airports only. `age_min` is null if no status is current. */
  status: { is_covered: boolean; age_min: number | null; measures: TodayMeasure[] };
  /** News that affect every flight of the airport. `age_min` is null if no news have been fetched. */
  news: { age_min: number | null; items: NewsItem[] };
};

export type TodayMeasure = {
  kind: 'stop' | 'delay' | 'closure' | 'departures' | 'arrivals';
  /** As published by the FAA. */
  reason: string;
};
