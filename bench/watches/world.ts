import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openLiveScores, type LiveScores } from '../../api/server/live-scores.ts';
import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { saveForecasts, type Forecast } from '../../warehouse/live/forecasts.ts';
import {
  addWatch,
  createSecret,
  createWatchId,
  type Watch,
  type WatchedFlight,
} from '../../warehouse/live/watches.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { launchRedis, type RunningRedis } from '../stage/redis-process.ts';
import { publishHistory } from '../trial-service.ts';

/** A Redis with a published history, and flights whose scores a storm changes. */
export type WatchWorld = {
  server: RunningRedis;
  redis: Redis;
  dataDir: string;
  /** Flights whose score a storm changes notably. */
  flights: WatchedFlight[];
  scores: LiveScores;
  /** Replaces the forecasts of all airports, and waits until Redis has them. */
  forecast: (weather: 'calm' | 'storm') => Promise<void>;
  /** Adds watches of the flights in turn, for a new account; returns their ids. */
  addWatches: (count: number, url: string) => Promise<string[]>;
  stop: () => Promise<void>;
};

/** Smallest change of a score that the watches report. */
const NOTABLE_POINTS = 5;

const CALM: WeatherReadings = {
  ...{ tempMeanC: 18, windMaxKmh: 8, gustMaxKmh: 12, precipMaxMm: 0 },
  ...{ snowfallCm: 0, visibilityMinM: 30_000, weatherCode: 0 },
};
const STORM: WeatherReadings = {
  ...{ tempMeanC: -7, windMaxKmh: 75, gustMaxKmh: 115, precipMaxMm: 4 },
  ...{ snowfallCm: 25, visibilityMinM: 200, weatherCode: 75, coldMistHours: 10 },
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
  const forecast = async (weather: 'calm' | 'storm') => {
    const today = dateAt(now());
    const readings = weather === 'calm' ? CALM : STORM;
    const days = new Map(
      Array.from({ length: 14 }, (_, day) => [addDays(today, day - 1), { ...readings }] as const),
    );
    const own: Forecast = { fetchedAt: now().toISOString(), days };
    await untilDone(() => saveForecasts(redis, new Map(airports.map((code) => [code, own]))));
  };
  const world: WatchWorld = {
    ...{ server, redis, dataDir, flights: [], scores, forecast },
    addWatches: (count, url) => addWatches(world, count, url),
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

/** Returns the flights whose score a storm changes by at least `NOTABLE_POINTS`. Ends in calm weather. */
async function keepMoved(
  candidates: WatchedFlight[],
  { forecast, scores }: WatchWorld,
): Promise<WatchedFlight[]> {
  const scoreAll = async (weather: 'calm' | 'storm') => {
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
    (_, at) => Math.abs((storm[at] ?? 0) - (calm[at] ?? 0)) >= NOTABLE_POINTS,
  );
}

async function addWatches(
  { redis, flights, scores }: WatchWorld,
  count: number,
  url: string,
): Promise<string[]> {
  const now = new Date();
  const owner = { name: 'storm', email: 'storm@headwind.example', monthlyLimit: 10_000_000 };
  const { apiKey } = await createKeystore(redis, { deadlineMs: 60_000 }).create(owner, 'live', now);
  const keyHash = hashKey(apiKey);
  const secret = createSecret();
  const known = new Map<WatchedFlight, { score: number; label: string; at: string }>();
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const flight = flights[at % flights.length] as WatchedFlight;
    let score = known.get(flight);
    if (!score) {
      const current = await scores.score(flight);
      score = { score: current?.score ?? 0, label: current?.label ?? '', at: now.toISOString() };
      known.set(flight, score);
    }
    const watch: Watch = {
      ...{ id: createWatchId(), keyHash, account: keyHash, flight, url },
      ...{ points: NOTABLE_POINTS, hasBand: false, createdAt: now.toISOString() },
    };
    await addWatch(redis, watch, { known: score, secret, limit: count });
    ids.push(watch.id);
  }
  return ids;
}

const CHILD = path.join(import.meta.dirname, 'worker-child.ts');

/** Starts a worker of watches in its own process. */
export async function startWatchWorker(
  { server, dataDir }: WatchWorld,
  receiver: string,
  profile: 'fast' | 'real',
): Promise<ChildProcess> {
  const child = fork(CHILD, [server.url, dataDir, receiver, profile], { silent: true });
  child.stderr?.pipe(process.stderr);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the worker ended before it was ready');
  });
  await Promise.race([once(child.stdout!, 'data'), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Repeats `work` while it fails, for example while Redis is killed. */
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
