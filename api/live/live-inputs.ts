import { arrivalOf } from '../../models/arrival.ts';
import type { Danger } from '../../models/danger.ts';
import { dayWeather } from '../../models/day-weather.ts';
import type { FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ForecastWatch } from './forecast-watch.ts';

export type LiveSources = {
  live: Pick<ForecastWatch, 'forecast'>;
  /** Returns the danger to the flight from events in force; if absent, scores ignore events. */
  danger?: (query: FlightQuery, store: ScoreStore) => Danger | undefined;
  now: () => Date;
};

/**
 * Creates the function that returns the current weather at both ends of a flight and the danger from events, from
 * memory.
 */
export function createLiveInputs({ live, danger, now }: LiveSources) {
  return (query: FlightQuery, store: ScoreStore): LiveInputs => {
    const { origin, dest, flightDate } = query;
    const sources = { store, forecast: live.forecast, now: now() };
    const ends = [store.airport(origin), store.airport(dest)] as const;
    const arrival = ends[0] && ends[1] ? arrivalOf(query, ends[0], ends[1]).date : flightDate;
    const weatherDep = dayWeather(origin, flightDate, sources);
    const weatherArr = dayWeather(dest, arrival, sources);
    const flightDanger = danger?.(query, store);
    return {
      ...(weatherDep && { weatherDep }),
      ...(weatherArr && { weatherArr }),
      ...(flightDanger && { danger: flightDanger }),
    };
  };
}
