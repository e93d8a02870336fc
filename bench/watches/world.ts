import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openLiveScores, type LiveScores } from '../../api/server/live-scores.ts';
import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import type { WatchedFlight } from '../../warehouse/live/watches.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { launchRedis, type RunningRedis } from '../stage/redis-process.ts';
import { publishHistory } from '../trial-service.ts';
import { addWatches, NOTABLE, type FlightToWatch } from './add-watches.ts';
import { saveWeather, type Weather } from './weather.ts';

/** A Redis with a published history, and flights whose scores a storm changes. */
export type WatchWorld = {
  server: RunningRedis;
  redis: Redis;
  dataDir: string;
  /** Flights whose score a storm changes notably. */
  flights: WatchedFlight[];
  scores: LiveScores;
  /** Replaces the forecasts of all airports, and waits until Redis has them. */
  forecast: (weather: Weather) => Promise<void>;
  /**
   * Adds `count` watches for a new account, one flight after the other. If there are fewer flights than watches, starts
   * again with the first flight. Returns the ids of the watches.
   */
  addWatches: (count: number, url: string) => Promise<string[]>;
  stop: () => Promise<void>;
};

/** Dates of the watched flights, in days from now. */
const DAYS_AHEAD = [2, 3, 4, 5, 6, 7, 8, 9];
const RETRY_MS = 100;
const WAIT_MS = 60_000;

/** Creates the world in a temporary folder. */
export async function createWatchWorld(): Promise<WatchWorld> {
  const server = await launchRedis();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-watches-'));
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  await publishHistory(dataDir, server.url);
  const files = await readFromDisk(dataPaths(dataDir).storeDir);
  if (!files) throw new Error('the history was not published');
  const routes = [...openStore(files).airlineRoutes()];
  const airports = [...new Set(routes.flatMap(({ origin, dest }) => [origin, dest]))];
  const log = pino({ level: 'silent' });
  const now = () => new Date();
  const scores = await openLiveScores({
    ...{ redis, redisUrl: server.url, dataDir, modelDeadlineMs: 200, now, log },
  });
  const forecast = (weather: Weather) =>
    untilDone(() => saveWeather(redis, weather, { airports, now: now() }));
  const world: WatchWorld = {
    ...{ server, redis, dataDir, flights: [], scores, forecast },
    addWatches: (count, url) => addStormWatches(world, count, url),
    stop: async () => {
      await scores.close();
      redis.disconnect();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  const today = dateAt(now());
  const candidates = DAYS_AHEAD.flatMap((days) =>
    routes.map(({ origin, dest, carrier }) => ({
      ...{ origin, dest, airline: carrier, date: addDays(today, days) },
    })),
  );
  world.flights = await keepMoved(candidates, world);
  return world;
}

/**
 * Scores all candidates in a storm and in calm weather. Returns the flights whose two scores differ by at least
 * `NOTABLE.points`. Leaves forecasts of calm weather in Redis.
 */
async function keepMoved(
  candidates: WatchedFlight[],
  { forecast, scores }: WatchWorld,
): Promise<WatchedFlight[]> {
  const scoreAll = async (weather: Weather) => {
    const before = scores.dataParts()[1];
    await forecast(weather);
    while (scores.dataParts()[1] === before) await sleep(10);
    const all: (number | undefined)[] = [];
    for (const flight of candidates) all.push((await scores.score(flight))?.score);
    return all;
  };
  const storm = await scoreAll('storm');
  const calm = await scoreAll('calm');
  return candidates.filter(
    (_, at) => Math.abs((storm[at] ?? 0) - (calm[at] ?? 0)) >= NOTABLE.points,
  );
}

async function addStormWatches(
  { redis, flights, scores }: WatchWorld,
  count: number,
  url: string,
): Promise<string[]> {
  const now = new Date();
  const known = new Map<WatchedFlight, FlightToWatch>();
  for (const flight of flights.slice(0, count)) {
    const { score = 0, label = '' } = (await scores.score(flight)) ?? {};
    known.set(flight, { flight, known: { score, label, at: now.toISOString() } });
  }
  const repeated = Array.from({ length: count }, (_, at) =>
    known.get(flights[at % flights.length]!)!,
  );
  return addWatches(redis, repeated, { url, now });
}

/**
 * Repeats `work` until it succeeds, for example until Redis runs again after a kill. Throws the last error after
 * `WAIT_MS`.
 */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}
