import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createGuardedFetch } from '../pipelines/fetch-guarded.ts';
import { weatherPolicy, type RefreshWeatherDeps } from '../pipelines/weather/refresh.ts';
import type { WeatherPlace } from '../pipelines/weather/types.ts';
import { flownAirports } from '../warehouse/store/flown-airports.ts';
import { saveForecasts } from '../warehouse/store/forecasts.ts';
import { currentVersion, readFromRedis } from '../warehouse/store/redis.ts';
import { weatherCalls } from './weather-calls.ts';

export type WeatherConfig = {
  /** Absent: nothing is fetched. */
  weatherForecastUrl?: string;
  weatherApiKey?: string | undefined;
  offline: boolean;
};

/** A hundred places are 1.5 MB; no honest answer comes near this. */
const FORECAST_LIMITS = { deadlineMs: 60_000, maxBytes: 16_000_000 };
/** The provider allows 600 calls a minute: four requests of a hundred leave room for others. */
const PAUSE_MS = 15_000;

/** How a worker fetches forecasts for the airports of the published store, and where it keeps them. */
export function createWeatherDeps(config: WeatherConfig, redis: Redis): RefreshWeatherDeps {
  const { weatherForecastUrl, weatherApiKey, offline } = config;
  const now = () => new Date();
  return {
    forecastUrl: offline ? undefined : weatherForecastUrl,
    ...(weatherApiKey !== undefined && { apiKey: weatherApiKey }),
    fetch: createGuardedFetch(FORECAST_LIMITS),
    places: () => publishedPlaces(redis),
    budget: weatherCalls(redis, weatherApiKey !== undefined, now),
    policy: weatherPolicy(),
    saveForecasts: (forecasts) => saveForecasts(redis, forecasts),
    pauseMs: PAUSE_MS,
    sleep,
    now,
  };
}

/** The airports with flights of the store being served; none while there is no store. */
async function publishedPlaces(redis: Redis): Promise<WeatherPlace[]> {
  const version = await currentVersion(redis);
  if (version === undefined) return [];
  const airports = flownAirports(await readFromRedis(redis, version));
  return airports.map(({ iata, ...place }) => ({ airport: iata, ...place }));
}
