import type { ScoreStore } from '../warehouse/store/types.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import type { DayWeather, EndsWeather, FlightQuery } from './types.ts';
import { FULL_LOG_ODDS, TYPICAL_RISK } from './weather-risk.ts';

/**
 * Share of the weather's log-odds that is used. The log-odds are fitted on flights of New York. For Seattle and
 * Portland, half of them gave better forecasts than any other share from 0 to 1 (`make weather-risk`).
 */
export const WEATHER_SHARE = 0.5;

/**
 * Returns the log-odds of delay by which the forecast is worse than the usual weather of the month. Uses the airport
 * with the larger difference. Returns 0 without a forecast, because the effects of an airport already include its usual
 * weather.
 */
export function weatherLogOdds(
  { origin, dest, flightDate }: FlightQuery,
  store: Pick<ScoreStore, 'climatology'>,
  { weatherDep, weatherArr }: EndsWeather,
): number {
  const month = monthOfYear(flightDate);
  const excessRisk = (airport: string, weather: DayWeather | undefined) =>
    weather?.basis === 'forecast'
      ? weather.score - (store.climatology(airport, month)?.risk ?? TYPICAL_RISK)
      : 0;
  const largestExcess = Math.max(excessRisk(origin, weatherDep), excessRisk(dest, weatherArr));
  return FULL_LOG_ODDS * largestExcess;
}
