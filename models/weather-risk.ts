import { sum } from '../warehouse/ground/numbers.ts';
import parameters from './weather-risk.json' with { type: 'json' };
import type { WeatherReadings } from '../warehouse/store/types.ts';

/**
 * One way in which weather delays flights. The hazard has no effect at the reading `from` and full effect at the
 * reading `to`. `to` may be smaller than `from`.
 */
export type Hazard<Reading extends CancellationReading = HazardReading> = {
  hazard: string;
  reading: Reading;
  from: number;
  to: number;
  /** Log-odds of delay at full effect; never negative. */
  logOdds: number;
  /** Mean share of the full effect, 0 to 1, over the days of the fit; used when the reading is unknown. */
  typical: number;
};

export type HazardReading = 'windMaxKmh' | 'precipMaxMm' | 'snowfallCm' | 'visibilityMinM';

/** Names of the readings that can cancel flights. */
export type CancellationReading = HazardReading | 'coldMistHours';

/** Fitted by `make weather-risk`. */
export const HAZARDS = parameters.hazards as readonly Hazard[];

/** Log-odds of delay on a day with risk 1, relative to a calm day. */
export const FULL_LOG_ODDS = parameters.fullLogOdds;

/**
 * Returns the weather risk of a day, 0 to 1. 0 is a day without wind, precipitation, snow or mist. 0.5 doubles the odds
 * of delay, and 1 is four times the odds or more. The risk never falls when a hazard grows. An unknown hazard has the
 * effect of a typical day.
 */
export function weatherRisk(
  readings: WeatherReadings,
  hazards: readonly Hazard[] = HAZARDS,
): number {
  const logOdds = hazards.map((hazard) => {
    const reading = readings[hazard.reading];
    return hazard.logOdds * (reading === undefined ? hazard.typical : hazardShare(hazard, reading));
  });
  return Math.min(1, sum(logOdds) / FULL_LOG_ODDS);
}

/** Risk of typical weather, for a day without readings. */
export const TYPICAL_RISK = weatherRisk({});

/** Returns how much of its full effect a hazard has at this reading, 0 to 1. */
export function hazardShare({ from, to }: Pick<Hazard, 'from' | 'to'>, reading: number): number {
  return Math.min(1, Math.max(0, (reading - from) / (to - from)));
}

/** Describes the day in a few words, worst first: `Snow`, `Heavy rain and strong wind`, `Fair`. */
export function weatherCondition(readings: WeatherReadings): string {
  const { windMaxKmh = 0, gustMaxKmh = 0, precipMaxMm = 0, snowfallCm = 0 } = readings;
  const { visibilityMinM = Infinity, weatherCode = 0 } = readings;
  const precipitation = [
    weatherCode >= 95 && 'thunderstorms',
    snowfallCm >= 5 ? 'heavy snow' : snowfallCm > 0.1 && 'snow',
    snowfallCm <= 0.1 && (precipMaxMm >= 4 ? 'heavy rain' : precipMaxMm >= 0.2 && 'rain'),
  ].find(Boolean);
  const wind = windMaxKmh >= 60 || gustMaxKmh >= 90 ? 'storm' : windMaxKmh >= 40 && 'strong wind';
  const fog = visibilityMinM < 1_000 && 'fog';
  const words = [precipitation, wind, fog].filter((word) => typeof word === 'string').slice(0, 2);
  const text = words.length > 0 ? words.join(' and ') : 'fair';
  return text.charAt(0).toUpperCase() + text.slice(1);
}
