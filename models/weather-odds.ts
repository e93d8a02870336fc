import type { ScoreStore } from '../warehouse/store/types.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import type { DayWeather, EndsWeather, FlightQuery } from './types.ts';
import { FULL_LOG_ODDS, TYPICAL_RISK } from './weather-risk.ts';

/**
 * How much of what a day's weather adds is believed. It is fitted on New York; of shares from 0 to 1 this one forecast Seattle and
 * Portland best (`make weather-risk`).
 */
export const WEATHER_BELIEF = 0.5;

/**
 * Log-odds of delay by which the forecast differs from what the month is usually like, at the end where that is more;
 * 0 without a forecast, for what is usual there is in the effects of the airport.
 */
export function weatherLogOdds(
  { origin, dest, flightDate }: FlightQuery,
  store: Pick<ScoreStore, 'climatology'>,
  { weatherDep, weatherArr }: EndsWeather,
): number {
  const month = monthOfYear(flightDate);
  const beyondUsual = (airport: string, weather: DayWeather | undefined) =>
    weather?.basis === 'forecast'
      ? weather.score - (store.climatology(airport, month)?.risk ?? TYPICAL_RISK)
      : 0;
  const atWorse = Math.max(beyondUsual(origin, weatherDep), beyondUsual(dest, weatherArr));
  return FULL_LOG_ODDS * atWorse;
}
