import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Redis } from 'ioredis';
import { SourceRefusedError } from '../../pipelines/errors.ts';
import { createGuardedFetch } from '../../pipelines/fetch-guarded.ts';
import type { WeatherMonthDeps } from '../../pipelines/weather/extract-month.ts';
import {
  ARCHIVE_PAUSE_MS,
  FORECAST_PAUSE_MS,
  WEATHER_LIMITS,
} from '../../pipelines/weather/open-meteo-request.ts';
import { weatherPolicy, type RefreshWeatherDeps } from '../../pipelines/weather/refresh.ts';
import type { WeatherPlace } from '../../pipelines/weather/types.ts';
import { listFlownAirports } from '../../warehouse/store/flown-airports.ts';
import { saveForecasts } from '../../warehouse/live/forecasts.ts';
import { currentVersion, readFromRedis } from '../../warehouse/store/redis.ts';
import {
  readWeatherManifest,
  verifiedWeatherFile,
  writeWeatherMonth,
  type WeatherLakeOptions,
} from '../../warehouse/lake/weather-lake.ts';
import { undefinedIfCorrupt } from '../../warehouse/lake/lake.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import { weatherUnit } from '../../warehouse/lake/shared/units.ts';
import { createCallBudget } from './weather-calls.ts';

export type WeatherConfig = {
  /** If absent, nothing is fetched. */
  weatherForecastUrl?: string;
  weatherApiKey?: string | undefined;
  offline: boolean;
};

/** Maximum size of a file of observations. A year of five airports has 2 MB unpacked. */
const MAX_FILE_BYTES = 100_000_000;
const MAX_TEXT_BYTES = 500_000_000;

/** Returns the functions that fetch forecasts for the airports of the published store and save them in Redis. */
export function createWeatherDeps(config: WeatherConfig, redis: Redis): RefreshWeatherDeps {
  const { weatherForecastUrl, weatherApiKey, offline } = config;
  const now = () => new Date();
  return {
    forecastUrl: offline ? undefined : weatherForecastUrl,
    ...(weatherApiKey !== undefined && { apiKey: weatherApiKey }),
    fetch: createGuardedFetch(WEATHER_LIMITS),
    places: () => publishedPlaces(redis),
    budget: createCallBudget(redis, weatherApiKey !== undefined, now),
    policy: weatherPolicy(),
    saveForecasts: (forecasts) => saveForecasts(redis, forecasts),
    pauseMs: FORECAST_PAUSE_MS,
    sleep,
    now,
  };
}

/** Returns the functions that extract months of weather into the lake. */
export function createWeatherMonthDeps(
  { weatherApiKey, offline }: WeatherConfig,
  lake: WeatherLakeOptions & { home: Pick<LakeHome, 'withUnitLock' | 'fetch'> },
  redis: Redis,
): WeatherMonthDeps {
  return {
    offline,
    ...(weatherApiKey !== undefined && { apiKey: weatherApiKey }),
    fetch: createGuardedFetch(WEATHER_LIMITS),
    budget: createCallBudget(redis, weatherApiKey !== undefined, lake.now),
    places: () => publishedPlaces(redis),
    readText,
    airportsInLake: async (ref) => {
      await lake.home.fetch([weatherUnit(ref)]);
      const manifest = await undefinedIfCorrupt(readWeatherManifest(lake.lakeDir, ref));
      if (manifest?.codeVersion !== lake.codeVersion) return undefined;
      const isWhole = await undefinedIfCorrupt(verifiedWeatherFile(lake.lakeDir, manifest));
      return isWhole === undefined ? undefined : manifest.airports;
    },
    write: (ref, days) =>
      lake.home.withUnitLock(
        weatherUnit(ref),
        async () => (await writeWeatherMonth(ref, days, lake)).file.rows,
      ),
    pauseMs: ARCHIVE_PAUSE_MS,
    sleep,
    now: lake.now,
  };
}

/** Reads the text of a plain or gzipped file. */
async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) {
    throw new SourceRefusedError(file, 'is too large for a file of observations');
  }
  const bytes = await readFile(file);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }) : bytes).toString();
}

/** Returns the airports with flights in the current store; an empty list if there is no store. */
async function publishedPlaces(redis: Redis): Promise<WeatherPlace[]> {
  const version = await currentVersion(redis);
  if (version === undefined) return [];
  const airports = listFlownAirports(await readFromRedis(redis, version));
  return airports.map(({ iata, ...place }) => ({ airport: iata, ...place }));
}
