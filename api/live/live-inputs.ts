import { flightArrival } from '../../models/arrival.ts';
import type { Danger } from '../../models/danger.ts';
import { dayWeather } from '../../models/day-weather.ts';
import { startOfMinute } from '../../warehouse/ground/dates.ts';
import type { FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ForecastWatch } from './forecast-watch.ts';

export type LiveSources = {
  live: Pick<ForecastWatch, 'forecast'>;
  /** Returns the danger of current events for the flight. Without this function, scores ignore events. */
  danger?: (query: FlightQuery, store: ScoreStore) => Danger | undefined;
  now: () => Date;
};

/**
 * Creates the function that reads the live inputs of a flight from memory: the current weather at both airports, and
 * the danger from events.
 */
export function createLiveInputs({ live, danger, now }: LiveSources) {
  return (query: FlightQuery, store: ScoreStore): LiveInputs => {
    const { origin, dest, flightDate } = query;
    const sources = { store, forecast: live.forecast, now: startOfMinute(now()) };
    const arrivalDate = flightArrival(query, store)?.date ?? flightDate;
    // All inputs always have the same fields, because scoring is faster if the objects have one shape.
    return {
      weatherDep: dayWeather(origin, flightDate, sources),
      weatherArr: dayWeather(dest, arrivalDate, sources),
      danger: danger?.(query, store),
      mlProbability: undefined,
    };
  };
}
