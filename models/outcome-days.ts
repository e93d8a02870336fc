import { sum } from '../warehouse/ground/sum.ts';
import { DAY_MS } from '../warehouse/ground/dates.ts';
import type { OutcomeStep } from '../warehouse/store/outcome-kinds.ts';
import type { WeatherReadings } from '../warehouse/store/types.ts';
import parameters from './outcome-days.json' with { type: 'json' };
import type { DayWeather, EndsWeather } from './types.ts';
import { hazardShare, type CancellationReading, type Hazard } from './weather-risk.ts';

export type CancellationHazard = Hazard<CancellationReading>;

/**
 * By how many log-odds a step changes on a day whose odds of a delay of more than 30 minutes are higher by one; fitted
 * by `npm run fit -- outcomes`.
 */
export const DAY_SLOPES: Partial<Record<OutcomeStep, number>> = parameters.daySlopes;

/** Hazards that cancel flights, with the log-odds of cancellation at full effect. */
const HAZARDS = parameters.hazards as readonly CancellationHazard[];

/** Log-odds of cancellation on a day with this weather, relative to a usual day. */
export function cancellationOdds(
  readings: WeatherReadings,
  hazards: readonly CancellationHazard[] = HAZARDS,
): number {
  return stormOdds(readings, hazards) - parameters.usualOdds;
}

/**
 * Log-odds that the weather of a day adds to those of a calm day. Snow is measured as snow and as cold hours with low
 * visibility, so only the larger of the two counts.
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
 * Age in days, from the fetch to the day of the flight, at which a forecast has lost 63 % of its effect. Set by hand, because a
 * forecast of a storm is good for three days and of little use after ten.
 */
const FORECAST_AGE_DAYS = 7;

/** Log-odds of cancellation by the forecast of the airport with the worse weather; 0 without a forecast. */
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
