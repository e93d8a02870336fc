import type { Redis } from 'ioredis';
import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import { saveForecasts, type Forecast } from '../../warehouse/live/forecasts.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';

/** Weather that is the same at all airports on all days. */
export type Weather = 'calm' | 'storm';

const READINGS: Record<Weather, WeatherReadings> = {
  calm: {
    ...{ tempMeanC: 18, windMaxKmh: 8, gustMaxKmh: 12, precipMaxMm: 0 },
    ...{ snowfallCm: 0, visibilityMinM: 30_000, weatherCode: 0 },
  },
  storm: {
    ...{ tempMeanC: -7, windMaxKmh: 75, gustMaxKmh: 115, precipMaxMm: 4 },
    ...{ snowfallCm: 25, visibilityMinM: 200, weatherCode: 75, coldMistHours: 10 },
  },
};
const DAYS = 14;

/** Replaces the airports' forecasts with this weather. `now` is the fetch time of the new forecasts. */
export async function saveWeather(
  redis: Redis,
  weather: Weather,
  { airports, now }: { airports: readonly string[]; now: Date },
): Promise<void> {
  const today = dateAt(now);
  const days = new Map(
    Array.from({ length: DAYS }, (_, day) => [addDays(today, day - 1), READINGS[weather]] as const),
  );
  const forecast: Forecast = { fetchedAt: now.toISOString(), days };
  await saveForecasts(redis, new Map(airports.map((code) => [code, forecast])));
}
