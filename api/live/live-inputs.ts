import { arrivalDate } from '../../models/arrival-date.ts';
import { dayWeather } from '../../models/day-weather.ts';
import type { FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ForecastWatch } from './forecast-watch.ts';

export type LiveSources = {
  live: Pick<ForecastWatch, 'forecast'>;
  /** Risk of the flight from current events, 0 to 1; absent: none is known. */
  eventRisk?: (query: FlightQuery, store: ScoreStore) => number;
  now: () => Date;
};

/** What is known right now of the day and the two ends of a flight; looked up in memory, never asked for. */
export function createLiveInputs({ live, eventRisk, now }: LiveSources) {
  return (query: FlightQuery, store: ScoreStore): LiveInputs => {
    const { origin, dest, flightDate } = query;
    const sources = { store, forecast: live.forecast, now: now() };
    const ends = [store.airport(origin), store.airport(dest)] as const;
    const arrival = ends[0] && ends[1] ? arrivalDate(flightDate, ends[0], ends[1]) : flightDate;
    const weatherDep = dayWeather(origin, flightDate, sources);
    const weatherArr = dayWeather(dest, arrival, sources);
    return {
      ...(weatherDep && { weatherDep }),
      ...(weatherArr && { weatherArr }),
      ...(eventRisk && { eventRisk: eventRisk(query, store) }),
    };
  };
}
