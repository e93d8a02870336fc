import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import pino from 'pino';
import { connectRedis } from '../../../api/redis.ts';
import { watchForecasts } from '../../../api/live/forecast-watch.ts';
import { createLiveInputs } from '../../../api/live/live-inputs.ts';
import { assessFlight } from '../../../models/score.ts';
import { saveForecasts, type Forecast } from '../../../warehouse/live/forecasts.ts';
import { borrowRedis, startRedis } from '../../helpers/redis.ts';
import { aStore } from '../../helpers/store.ts';

const log = pino({ level: 'silent' });
const NOW = new Date('2026-12-01T12:00:00Z');
const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-03' };
const CALM = { windMaxKmh: 5, precipMaxMm: 0, snowfallCm: 0, visibilityMinM: 20_000 };
const STORM = { ...CALM, windMaxKmh: 110, precipMaxMm: 20 };

const forecast = (readings: object): Forecast => ({
  fetchedAt: '2026-12-01T09:00:00.000Z',
  days: new Map([['2026-12-03', readings]]),
});

async function setUp(t: ExecutionContext, server?: { url: string }) {
  const { url } = server ?? (await borrowRedis((stop) => t.teardown(stop)));
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  const open = () => {
    const feed = watchForecasts({ connect: () => connectRedis(url, log), log });
    t.teardown(() => feed.close());
    return feed;
  };
  return { redis, open };
}

async function until(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 2_400 && !isSo(); tries++) await sleep(50);
  return isSo();
}

test('forecasts are in memory after the jobs save them, and stay while Redis is unavailable', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { redis, open } = await setUp(t, server);
  const feed = open();
  t.is(feed.forecast('JFK'), undefined);
  await saveForecasts(redis, new Map([['JFK', forecast(CALM)]]));
  t.true(await until(() => feed.forecast('JFK') !== undefined));
  t.deepEqual(feed.forecast('JFK'), forecast(CALM));
  await saveForecasts(redis, new Map([['LAX', forecast(STORM)]]));
  t.true(await until(() => feed.forecast('LAX') !== undefined));
  await server.kill();
  await sleep(200);
  t.deepEqual(feed.forecast('JFK'), forecast(CALM));
});

test('a replica that starts later reads the saved forecasts', async (t) => {
  const { redis, open } = await setUp(t);
  await saveForecasts(redis, new Map([['JFK', forecast(CALM)]]));
  const feed = open();
  t.true(await until(() => feed.forecast('JFK') !== undefined));
});

test('a watch that is closed during a refresh logs nothing', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  let logged = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) });
  await new Promise<void>((resolve) => {
    const connect = () => connectRedis(url).once('ready', () => void feed.close().then(resolve));
    const feed = watchForecasts({ connect, log: log });
  });
  // A refresh requested in the same turn has ended by then.
  await sleep(50);
  t.is(logged, '');
});

test('a storm at either end raises the score, and the assessment names its forecast', (t) => {
  const store = aStore();
  const assess = (dep: object, arr: object) => {
    const forecasts = new Map([
      ['JFK', forecast(dep)],
      ['LAX', forecast(arr)],
    ]);
    const live = { forecast: (airport: string) => forecasts.get(airport) };
    return assessFlight(QUERY, store, createLiveInputs({ live, now: () => NOW })(QUERY, store));
  };
  const calm = assess(CALM, CALM);
  t.true(assess(STORM, CALM).score > calm.score);
  t.true(assess(CALM, STORM).score > calm.score);
  t.like(calm.weatherDep, { score: 0, basis: 'forecast', fetchedAt: '2026-12-01T09:00:00.000Z' });
  const withoutForecasts = createLiveInputs({
    live: { forecast: () => undefined },
    now: () => NOW,
  });
  const unknown = { weatherDep: undefined, weatherArr: undefined, danger: undefined };
  t.deepEqual(withoutForecasts(QUERY, store), { ...unknown, mlProbability: undefined });
});
