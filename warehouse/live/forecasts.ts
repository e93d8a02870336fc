import type { Redis } from 'ioredis';
import type { WeatherReadings } from '../store/types.ts';

/** The forecast of one airport: when it was fetched (ISO), and the readings of its local days (`YYYY-MM-DD`). */
export type Forecast = { fetchedAt: string; days: Map<string, WeatherReadings> };

/** Hash: airport to its forecast. One that a refresh does not bring stays, with its age. */
const FORECASTS = 'hw:weather:forecasts';

/** When the hash was last written; readers compare it. */
const SAVED_AT = 'hw:weather:saved-at';

/** Told when new forecasts are there. */
export const FORECASTS_CHANNEL = 'hw:weather:refreshed';

/** Order of the readings of a day, which are stored as a list; new ones go to its end. */
const READINGS = [
  'tempMeanC',
  'windMaxKmh',
  'gustMaxKmh',
  'precipMaxMm',
  'snowfallCm',
  'visibilityMinM',
  'weatherCode',
] as const satisfies readonly (keyof WeatherReadings)[];

type Stored = { at: string; days: Record<string, (number | null)[]> };

/** Puts forecasts in the place of older ones of the same airports, and tells the readers. */
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

/** When forecasts were last saved; undefined when there are none. */
export async function forecastsSavedAt(redis: Redis): Promise<string | undefined> {
  return (await redis.get(SAVED_AT)) ?? undefined;
}

/** Every forecast there is; one that cannot be read is left out. */
export async function readForecasts(redis: Redis): Promise<Map<string, Forecast>> {
  const forecasts = new Map<string, Forecast>();
  for (const [airport, text] of Object.entries(await redis.hgetall(FORECASTS))) {
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
  return JSON.stringify({ at: fetchedAt, days: Object.fromEntries(lists) } satisfies Stored);
}

function decode(text: string): Forecast | undefined {
  try {
    const { at, days } = JSON.parse(text) as Stored;
    const entries = Object.entries(days).map(([date, values]): [string, WeatherReadings] => {
      const known = READINGS.map((reading, index) => [reading, values[index]] as const);
      return [date, Object.fromEntries(known.filter(([, value]) => typeof value === 'number'))];
    });
    return { fetchedAt: new Date(at).toISOString(), days: new Map(entries) };
  } catch {
    return undefined;
  }
}
