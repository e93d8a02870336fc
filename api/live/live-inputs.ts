import { arrivalOf } from '../../models/arrival.ts';
import type { Danger } from '../../models/danger.ts';
import { dayWeather } from '../../models/day-weather.ts';
import type { FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ForecastWatch } from './forecast-watch.ts';

export type LiveSources = {
  live: Pick<ForecastWatch, 'forecast'>;
  /** What the events in force mean for the flight; absent: none are known. */
  danger?: (query: FlightQuery, store: ScoreStore) => Danger | undefined;
  now: () => Date;
};

/** What is known right now of the day and the two ends of a flight; looked up in memory, never asked for. */
export function createLiveInputs({ live, danger, now }: LiveSources) {
  return (query: FlightQuery, store: ScoreStore): LiveInputs => {
    const { origin, dest, flightDate } = query;
    const sources = { store, forecast: live.forecast, now: now() };
    const ends = [store.airport(origin), store.airport(dest)] as const;
    const arrival = ends[0] && ends[1] ? arrivalOf(query, ends[0], ends[1]).date : flightDate;
    const weatherDep = dayWeather(origin, flightDate, sources);
    const weatherArr = dayWeather(dest, arrival, sources);
    const inForce = danger?.(query, store);
    return {
      ...(weatherDep && { weatherDep }),
      ...(weatherArr && { weatherArr }),
      ...(inForce && { danger: inForce }),
    };
  };
}
