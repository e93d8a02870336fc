import { sum } from '../warehouse/ground/numbers.ts';
import { DAY_MS } from '../warehouse/ground/dates.ts';
import type { OutcomeStep } from '../warehouse/store/outcome-kinds.ts';
import type { WeatherReadings } from '../warehouse/store/types.ts';
import parameters from './outcome-days.json' with { type: 'json' };
import type { DayWeather, EndsWeather } from './types.ts';
import { hazardShare, type CancellationReading, type Hazard } from './weather-risk.ts';

export type CancellationHazard = Hazard<CancellationReading>;

/**
 * Changes of the outcome steps, in log-odds, on a day that raises the log-odds of a delay over 30 minutes by 1. Fitted
 * by `npm run fit -- outcomes`.
 */
export const DAY_SLOPES: Partial<Record<OutcomeStep, number>> = parameters.daySlopes;

/** Weather hazards that lead to cancellations, with the log-odds of cancellation at full effect. */
const HAZARDS = parameters.hazards as readonly CancellationHazard[];

/** Returns the log-odds of cancellation on a day with this weather, relative to a usual day. */
export function cancellationOdds(
  readings: WeatherReadings,
  hazards: readonly CancellationHazard[] = HAZARDS,
): number {
  return stormOdds(readings, hazards) - parameters.usualOdds;
}

/**
 * Returns the log-odds of cancellation on a day with this weather, relative to a calm day. Two hazards measure snow:
 * snowfall, and cold hours with low visibility. Only the larger of these two is used.
 */
export function stormOdds(
  readings: WeatherReadings,
  hazards: readonly CancellationHazard[],
): number {
  const odds = new Map(
    hazards.map((hazard) => {
      const reading = readings[hazard.reading];
      const share = reading === undefined ? hazard.typical : hazardShare(hazard, reading);
      return [hazard.reading, hazard.logOdds * share];
    }),
  );
  const snow = Math.max(odds.get('snowfallCm') ?? 0, odds.get('coldMistHours') ?? 0);
  odds.delete('snowfallCm');
  odds.delete('coldMistHours');
  return snow + sum([...odds.values()]);
}

/**
 * Time constant of forecasts, in days from the fetch to the day of the flight. At this age, a forecast has lost 63 % of
 * its effect. The value is set by hand: a forecast of a storm is good for three days, and of little use after ten.
 */
const FORECAST_AGE_DAYS = 7;

/**
 * Returns the log-odds of cancellation from the forecast at the airport with the worse weather; 0 without a forecast.
 */
export function forecastCancelOdds(
  flightDate: string,
  { weatherDep, weatherArr }: EndsWeather,
): number {
  const odds = [weatherDep, weatherArr].flatMap((weather) => dampedOdds(flightDate, weather));
  return odds.length === 0 ? 0 : Math.max(...odds);
}

function dampedOdds(flightDate: string, weather: DayWeather | undefined): number[] {
  if (weather?.cancelOdds === undefined || weather.fetchedAt === undefined) return [];
  const ageDays = Math.max(0, (Date.parse(flightDate) - Date.parse(weather.fetchedAt)) / DAY_MS);
  return [weather.cancelOdds * Math.exp(-((ageDays / FORECAST_AGE_DAYS) ** 2))];
}
