import path from 'node:path';
import { Redis } from 'ioredis';
import { findModel } from '../../pipelines/model/released-model.ts';
import { addDays } from '../../warehouse/ground/dates.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { connectRedis, waitUntilReady } from '../../api/redis.ts';
import { readConfig } from '../../jobs/config.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';
import { saveForecasts, type Forecast } from '../../warehouse/live/forecasts.ts';
import { withModel } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';
import { randomFrom } from '../generate/random.ts';
import { startApi } from '../stage/api-process.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { fixedPaths } from './paths.ts';
import { syntheticStore, type Flight } from './synthetic-store.ts';

export type BenchApi = {
  redisUrl: string;
  redis: Redis;
  api: ServerProcess;
  /** An API key. Its quota is so large that no bench uses it up. */
  apiKey: string;
  /**
   * Paths of `/api/score`. Their flights are spread over the whole store, and their dates over almost a year from now.
   */
  paths: string[];
  /** All airline-routes of the store. */
  flights: Flight[];
};

/**
 * Runs `work` while an API serves 50,000 airline-routes with the bundled model and forecasts. The API's Redis runs in
 * the data folder.
 */
export async function withBenchApi<T>(
  dataDir: string,
  settings: Record<string, string>,
  work: (world: BenchApi) => Promise<T>,
): Promise<T> {
  const session = await openRedis(readConfig({ DATA_DIR: dataDir }), 'bench');
  const redis = new Redis(session.url);
  try {
    const { files, flights } = syntheticStore('2026-01-01T02:30:00.000Z');
    await saveToRedis(redis, await withBundledModel(files));
    await saveForecasts(redis, buildForecasts(flights, 'forecasts'));
    const apiKey = await createKey(session.url);
    const api = await startApi(
      { REDIS_URL: session.url, DATA_DIR: dataDir, ...settings },
      { logFile: path.join(dataDir, 'api.log') },
    );
    try {
      await api.untilHealthy();
      const paths = fixedPaths(flights, apiKey);
      return await work({ redisUrl: session.url, redis, api, apiKey, paths, flights });
    } finally {
      await api.stop();
    }
  } finally {
    redis.disconnect();
    await session.close();
  }
}

/** Returns the store with the bundled model. */
export async function withBundledModel(files: StoreFiles): Promise<StoreFiles> {
  const { model, refused } = await findModel('');
  if (!model) throw new Error(`the bundled model was refused: ${refused}`);
  return withModel(files, model);
}

const FORECAST_DAYS = 16;

/** Builds a forecast for every airport, with the current time as fetch time. Another seed gives other readings. */
export function buildForecasts(flights: Flight[], seed: string): Map<string, Forecast> {
  const random = randomFrom(seed);
  const fetchedAt = new Date().toISOString();
  const days = () =>
    Array.from({ length: FORECAST_DAYS }, (_, ahead): [string, WeatherReadings] => [
      addDays(fetchedAt.slice(0, 10), ahead),
      { tempMeanC: random.below(30), windMaxKmh: random.below(60), precipMaxMm: random.below(5) },
    ]);
  const airports = new Set(flights.map(({ origin }) => origin));
  return new Map([...airports].map((airport) => [airport, { fetchedAt, days: new Map(days()) }]));
}

async function createKey(redisUrl: string): Promise<string> {
  const redis = connectRedis(redisUrl);
  try {
    await waitUntilReady(redis, 5_000);
    const owner = { name: 'bench', email: 'bench@headwind.example', monthlyLimit: 10_000_000 };
    return (await createKeystore(redis).create(owner, 'test', new Date())).apiKey;
  } finally {
    redis.disconnect();
  }
}
