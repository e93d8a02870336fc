import type { Forecast } from '../warehouse/live/forecasts.ts';
import type { ScoreStore, WeatherReadings } from '../warehouse/store/types.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import { cancellationOdds } from './outcome-days.ts';
import type { DayWeather } from './types.ts';
import { weatherCondition, weatherRisk } from './weather-risk.ts';

/**
 * Maximum age of a forecast. After a dozen missed refreshes, a forecast is no better than the usual weather of the
 * month.
 */
const MAX_FORECAST_AGE_MS = 36 * 3_600_000;

const MONTHS =
  'January February March April May June July August September October November December';
const MONTH_NAMES = MONTHS.split(' ');

export type WeatherSources = {
  store: Pick<ScoreStore, 'climatology'>;
  forecast: (airport: string) => Forecast | undefined;
  now: Date;
};

/**
 * Returns the weather at an airport on one of its local days, from a fresh forecast for that day. Without such a
 * forecast, returns the usual weather of the month. Undefined when the usual weather is unknown too.
 */
export function dayWeather(
  airport: string,
  date: string,
  { store, forecast, now }: WeatherSources,
): DayWeather | undefined {
  const latest = forecast(airport);
  const readings = latest?.days.get(date);
  if (latest && readings && isForecastFresh(latest.fetchedAt, now)) {
    return memoizeWeather(readings, latest.fetchedAt, () => ({
      score: weatherRisk(readings),
      condition: weatherCondition(readings),
      basis: 'forecast',
      fetchedAt: latest.fetchedAt,
      cancelOdds: cancellationOdds(readings),
      ...readingFields(readings),
    }));
  }
  const month = monthOfYear(date);
  const usual = store.climatology(airport, month);
  if (!usual) return undefined;
  return memoizeWeather(usual, month, () => ({
    score: usual.risk,
    condition: `Typical for ${MONTH_NAMES[month - 1]}: ${describeRisk(usual.risk)}`,
    basis: 'climatology',
    ...readingFields(usual),
  }));
}

type CachedWeather = { cacheKey: string | number; weather: Readonly<DayWeather> };

/**
 * Cache of the weather computed from readings, because many flights share the same readings. An entry is freed together
 * with its readings.
 */
const WEATHER = new WeakMap<WeatherReadings, CachedWeather>();

/** Returns the cached weather of the readings for this fetch time or month, or computes it. */
function memoizeWeather(
  readings: WeatherReadings,
  cacheKey: string | number,
  compute: () => DayWeather,
): Readonly<DayWeather> {
  const cached = WEATHER.get(readings);
  if (cached?.cacheKey === cacheKey) return cached.weather;
  const weather = compute();
  WEATHER.set(readings, { cacheKey, weather });
  return weather;
}

/**
 * Describes a month by the mean risk of its days. Mean readings would describe little, because nearly every month has
 * some rain.
 */
function describeRisk(risk: number): string {
  if (risk < 0.2) return 'mostly calm';
  return risk < 0.4 ? 'changeable' : 'often rough';
}

/** Whether a forecast is recent enough to use. A forecast with a fetch time in the future is recent enough. */
export function isForecastFresh(fetchedAt: string, now: Date): boolean {
  return now.getTime() - Date.parse(fetchedAt) <= MAX_FORECAST_AGE_MS;
}

function readingFields({ tempMeanC, windMaxKmh, precipMaxMm }: WeatherReadings) {
  return {
    ...(tempMeanC !== undefined && { tempC: tempMeanC }),
    ...(windMaxKmh !== undefined && { windMaxKmh }),
    ...(precipMaxMm !== undefined && { precipMaxMm }),
  };
}
