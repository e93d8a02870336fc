import type { Redis } from 'ioredis';
import type { WeatherReadings } from '../store/types.ts';

/** The forecast for one airport: the time of the fetch (ISO), and the readings by local day (`YYYY-MM-DD`). */
export type Forecast = { fetchedAt: string; days: Map<string, WeatherReadings> };

/**
 * Redis hash that maps each airport to its forecast. If a refresh does not include an airport, the airport keeps its
 * old forecast with the old time.
 */
const FORECASTS = 'hw:weather:forecasts';

/** Time of the last change of the forecasts. Readers poll this key to detect changes. */
const SAVED_AT = 'hw:weather:saved-at';

/** Channel that announces new forecasts. */
export const FORECASTS_CHANNEL = 'hw:weather:refreshed';

/** Order of the readings in the list that is stored for a day. Add new readings at the end. */
const READINGS = [
  'tempMeanC',
  'windMaxKmh',
  'gustMaxKmh',
  'precipMaxMm',
  'snowfallCm',
  'visibilityMinM',
  'weatherCode',
  'coldMistHours',
] as const satisfies readonly (keyof WeatherReadings)[];

type StoredForecast = { at: string; days: Record<string, (number | null)[]> };

/** Replaces the forecasts of these airports and notifies the readers. */
export async function saveForecasts(redis: Redis, forecasts: Map<string, Forecast>): Promise<void> {
  if (forecasts.size === 0) return;
  const fields = [...forecasts].map(([airport, forecast]) => [airport, encode(forecast)]);
  const at = new Date().toISOString();
  await redis
    .multi()
    .hset(FORECASTS, Object.fromEntries(fields) as Record<string, string>)
    .set(SAVED_AT, at)
    .publish(FORECASTS_CHANNEL, at)
    .exec();
}

/** Returns the time when forecasts were last saved; undefined if never. */
export async function forecastsSavedAt(redis: Redis): Promise<string | undefined> {
  return (await redis.get(SAVED_AT)) ?? undefined;
}

/**
 * Reads all forecasts as one text for `parseForecasts`. Airports are sorted, so that equal forecasts give equal texts.
 */
export async function readForecastText(redis: Redis): Promise<string> {
  const entries = Object.entries(await redis.hgetall(FORECASTS));
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Reads all forecasts. Skips entries that cannot be read. */
export async function readForecasts(redis: Redis): Promise<Map<string, Forecast>> {
  return parseForecasts(await readForecastText(redis));
}

/** Parses the text of all forecasts. Skips entries that cannot be read. */
export function parseForecasts(forecastText: string): Map<string, Forecast> {
  const forecasts = new Map<string, Forecast>();
  const texts = JSON.parse(forecastText) as Record<string, string>;
  for (const [airport, text] of Object.entries(texts)) {
    const forecast = decode(text);
    if (forecast) forecasts.set(airport, forecast);
  }
  return forecasts;
}

function encode({ fetchedAt, days }: Forecast): string {
  const lists = [...days].map(([date, readings]) => [
    date,
    READINGS.map((reading) => readings[reading] ?? null),
  ]);
  return JSON.stringify({
    at: fetchedAt,
    days: Object.fromEntries(lists),
  } satisfies StoredForecast);
}

function decode(text: string): Forecast | undefined {
  try {
    const { at, days } = JSON.parse(text) as StoredForecast;
    const entries = Object.entries(days).map(([date, values]): [string, WeatherReadings] => {
      const readings = READINGS.map((reading, index) => [reading, values[index]] as const);
      return [date, Object.fromEntries(readings.filter(([, value]) => typeof value === 'number'))];
    });
    return { fetchedAt: new Date(at).toISOString(), days: new Map(entries) };
  } catch {
    return undefined;
  }
}
