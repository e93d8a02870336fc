import path from 'node:path';
import { Redis } from 'ioredis';
import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { connectRedis, untilReady } from '../../api/redis.ts';
import { readConfig } from '../../jobs/config.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { startApi } from '../stage/api-process.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { syntheticStore, type Flight } from './synthetic-store.ts';

/** As far ahead as dates may lie, short of the last day. */
const DAYS_AHEAD = 360;
const FLIGHTS = 2_000;

export type BenchApi = {
  redisUrl: string;
  redis: Redis;
  api: ServerProcess;
  /** A key with more calls left than any bench makes. */
  apiKey: string;
  /** `/api/score` of flights all over the store, on days all over the year. */
  paths: string[];
};

/** Runs the work beside an API that serves 50,000 airline-routes, on a Redis of its own under the data folder. */
export async function withBenchApi<T>(
  dataDir: string,
  settings: Record<string, string>,
  work: (world: BenchApi) => Promise<T>,
): Promise<T> {
  const session = await openRedis(readConfig({ DATA_DIR: dataDir }), 'bench');
  const redis = new Redis(session.url);
  try {
    const { files, flights } = syntheticStore('2026-01-01T02:30:00.000Z');
    await saveToRedis(redis, files);
    const apiKey = await aKey(session.url);
    const api = await startApi(
      { REDIS_URL: session.url, DATA_DIR: dataDir, ...settings },
      path.join(dataDir, 'api.log'),
    );
    try {
      await api.untilHealthy();
      const paths = scorePaths(flights, apiKey);
      return await work({ redisUrl: session.url, redis, api, apiKey, paths });
    } finally {
      await api.stop();
    }
  } finally {
    redis.disconnect();
    await session.close();
  }
}

/** Eight in ten are flown by the airline, one by another airline only, one by nobody. */
function scorePaths(flights: Flight[], apiKey: string): string[] {
  const pick = (at: number) => flights[(at * 24_593) % flights.length] as Flight;
  return Array.from({ length: FLIGHTS }, (_, at) => {
    const flight = pick(at);
    const { origin } = flight;
    const airline = at % 10 === 8 ? pick(at + 1).carrier : flight.carrier;
    const dest = at % 10 === 9 ? pick(at + 2).origin : flight.dest;
    const date = addDays(dateAt(Date.now()), 1 + (at % DAYS_AHEAD));
    return `/api/score?${new URLSearchParams({ origin, dest, airline, date, api_key: apiKey })}`;
  });
}

async function aKey(redisUrl: string): Promise<string> {
  const redis = connectRedis(redisUrl);
  try {
    await untilReady(redis, 5_000);
    const owner = { name: 'bench', email: 'bench@headwind.example', monthlyLimit: 10_000_000 };
    return (await createKeystore(redis).create(owner, 'test', new Date())).apiKey;
  } finally {
    redis.disconnect();
  }
}
