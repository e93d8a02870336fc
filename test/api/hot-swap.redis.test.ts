import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import type { ScoreBody } from '../../api/schemas/score.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { saveStore } from '../../warehouse/store/publish.ts';
import { rollBack } from '../../warehouse/store/rollback.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { equalHours, storeFilesOf } from '../helpers/store-files.ts';
import { until } from '../jobs/helpers/command.ts';
import { aKey, aKeystore } from './helpers/keystore.ts';
import { startServingApi } from './helpers/clustered.ts';

const PUBLISHES = 10;
const ROLLBACKS = 3;
const CALLERS = 8;
const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'AA' };

/** Creates a store with this version number. Every part of an answer from the store contains the number. */
function numberedStore(number: number): StoreFiles {
  const stats = {
    flight_count: 1000 + number,
    completed_count: 1000,
    delayed_count: number,
    cancelled_count: 0,
    delayed_min_sum: 0,
    delayed_rate: 0.1,
    cancelled_rate: 0.01,
  };
  const place = { city: `${number}`, country: `${number}`, country_code: 'US' };
  const position = { time_zone: 'America/New_York', latitude: 0, longitude: 0 };
  const days = Array.from({ length: 12 * 7 }, (_, at) => [1 + Math.floor(at / 7), 1 + (at % 7)]);
  const rows = {
    airports: ['JFK', 'LAX'].map((iata) => ({ iata, name: `${number}`, ...place, ...position })),
    airlines: [{ iata: 'AA', name: `${number}`, country: `${number}` }],
    routes: [{ origin: 'JFK', dest: 'LAX', ...stats }],
    route_carriers: [{ origin: 'JFK', dest: 'LAX', carrier: 'AA', ...stats }],
    congestion: ['JFK', 'LAX'].flatMap((airport) =>
      days.map(([month_of_year = 0, weekday = 0]) => ({
        airport,
        month_of_year,
        weekday,
        congestion: number / 1000,
        ...equalHours(number / 1000),
      })),
    ),
  };
  return storeFilesOf(rows, new Date(Date.UTC(2026, 0, 1 + number)).toISOString());
}

/** Returns the numbers of all versions in an answer. */
function numbersIn({ stats, airline_info, origin_info, dest_info }: ScoreBody): Set<number> {
  return new Set([
    stats.n_flights - 1000,
    Math.round(stats.delay_rate_pct * 10),
    ...[stats.congestion_dep, stats.congestion_arr].map((share) => Math.round(share * 1000)),
    ...[airline_info, origin_info, dest_info].flatMap(({ name, country }) => [+name, +country]),
    Number(origin_info.city),
    Number(dest_info.city),
  ]);
}

test('publishing and rolling back under load fails no request and never mixes two versions', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const storeDir = await mkdtemp(join(tmpdir(), 'hw-store-'));
  t.teardown(() => rm(storeDir, { recursive: true, force: true }));
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 10_000_000, new Date());
  const numberOf = new Map<string, number>();
  const publish = async (number: number) => {
    const store = numberedStore(number);
    numberOf.set(store.manifest.version, number);
    await saveStore(storeDir, redis, store);
    return store.manifest.version;
  };
  await publish(0);
  const { message, pids } = await startServingApi(t, server.url, 2);

  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const params = new URLSearchParams({ ...FLIGHT, date, api_key: apiKey });
  const load = new AbortController();
  let answers = 0;
  const failed: string[] = [];
  const mixed: string[] = [];
  const call = async () => {
    const answer = await fetch(`http://127.0.0.1:${message.port}/api/score?${params}`);
    if (answer.status !== 200) return failed.push(`${answer.status} ${await answer.text()}`);
    const number = numberOf.get(answer.headers.get('x-store-version') ?? '');
    const numbers = numbersIn((await answer.json()) as ScoreBody);
    if (numbers.size !== 1 || !numbers.has(number ?? -1)) {
      mixed.push(`${number}: ${[...numbers].join(' ')}`);
    }
    return (answers += 1);
  };
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!load.signal.aborted) await call().catch((error: unknown) => failed.push(String(error)));
  });
  /** Waits until both processes have loaded the next version and answered from it. */
  const untilLoaded = async (swaps: number) => {
    await until(`swap ${swaps}`, () => pids('store loaded').length === 2 * (1 + swaps));
    const before = answers;
    await until('answers', () => answers > before + 2 * CALLERS || failed.length > 0);
  };

  for (let number = 1; number <= PUBLISHES; number++) {
    await publish(number);
    await untilLoaded(number);
  }
  for (let back = 1; back <= ROLLBACKS; back++) {
    const { to } = await rollBack(storeDir, redis);
    t.is(numberOf.get(to), PUBLISHES - back);
    await untilLoaded(PUBLISHES + back);
  }
  load.abort();
  await Promise.all(callers);

  t.deepEqual(failed, []);
  t.deepEqual(mixed, []);
  t.true(new Set(pids('request')).size === 2);
});
