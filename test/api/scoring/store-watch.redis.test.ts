import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { connectRedis } from '../../../api/redis.ts';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { watchStores, type StoreWatch } from '../../../api/scoring/store-watch.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis, startRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { until } from '../../jobs/helpers/command.ts';
import { keptLog } from '../helpers/app.ts';

async function setUp(t: ExecutionContext, own?: { url: string }) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-stores-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const { url } = own ?? (await borrowRedis((stop) => t.teardown(stop)));
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  const { log, lines } = keptLog();
  const open = async () => {
    const stores = await watchStores({
      connect: () => connectRedis(url, log),
      storeDir,
      models: createStoreModels(log),
      log,
    });
    t.teardown(() => stores.close());
    return stores;
  };
  /** A store was looked at, and refused. */
  const refused = () => until('it is refused', () => lines().some(({ level }) => level === 50));
  return { storeDir, url, redis, open, log, refused };
}

/** Waits for the watch to serve the version, at most 10 s. */
async function served(stores: StoreWatch, version: string): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (stores.current()?.manifest.version === version) return true;
    await sleep(50);
  }
  return false;
}

test('nothing published is no store, and the first publish is served without a restart', async (t) => {
  const { redis, open } = await setUp(t);
  const stores = await open();
  t.is(stores.current(), undefined);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  t.true(await served(stores, files.manifest.version));
  t.is(stores.current()?.route('JFK', 'LAX')?.flightCount, 150);
});

test('a newer version replaces the one in memory, and a store held by an answer stays as it was', async (t) => {
  const { redis, open } = await setUp(t);
  const first = await someStoreFiles({ delayed: 1 });
  await saveToRedis(redis, first);
  const stores = await open();
  t.true(await served(stores, first.manifest.version));
  const held = stores.current();
  const second = await someStoreFiles({ delayed: 40, builtAt: '2026-11-02T02:30:00Z' });
  await saveToRedis(redis, second);
  t.true(await served(stores, second.manifest.version));
  t.is(held?.routeCarrier('JFK', 'LAX', 'DL')?.delayedCount, 1);
  t.is(stores.current()?.routeCarrier('JFK', 'LAX', 'DL')?.delayedCount, 40);
});

test('a damaged version is refused and the one before it stays', async (t) => {
  const { redis, open, refused } = await setUp(t);
  const good = await someStoreFiles();
  await saveToRedis(redis, good);
  const stores = await open();
  t.true(await served(stores, good.manifest.version));
  const bad = await someStoreFiles({ delayed: 2, builtAt: '2026-11-02T02:30:00Z' });
  bad.files.set('routes.arrow', Buffer.from('damaged'));
  await saveToRedis(redis, bad);
  const better = await someStoreFiles({ delayed: 3, builtAt: '2026-11-03T02:30:00Z' });
  await refused();
  t.is(stores.current()?.manifest.version, good.manifest.version);
  await saveToRedis(redis, better);
  t.true(await served(stores, better.manifest.version));
});

test('a version that was damaged in Redis is served once it is published again', async (t) => {
  const { redis, open, refused } = await setUp(t);
  const files = await someStoreFiles();
  const routes = files.files.get('routes.arrow') ?? new Uint8Array();
  files.files.set('routes.arrow', Buffer.from('damaged'));
  await saveToRedis(redis, files);
  const stores = await open();
  await refused();
  t.is(stores.current(), undefined);
  files.files.set('routes.arrow', routes);
  await saveToRedis(redis, files);
  t.true(await served(stores, files.manifest.version));
});

test('a version mended while its damaged copy is still looked at is served', async (t) => {
  const { redis, url, storeDir, log } = await setUp(t);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  const mended = Promise.withResolvers<boolean>();
  let isFirst = true;
  const prepare = () => {
    if (!isFirst) {
      mended.resolve(true);
      return true;
    }
    isFirst = false;
    void saveToRedis(redis, files);
    return false;
  };
  const models = { prepare };
  const connect = () => connectRedis(url, log);
  const stores = await watchStores({ connect, storeDir, models, log });
  t.teardown(() => stores.close());
  t.true(await served(stores, files.manifest.version));
  t.true(await Promise.race([mended.promise, sleep(60_000, undefined, { ref: false })]));
});

test('the last good version is kept on disk and served while Redis holds none', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { storeDir, redis, open } = await setUp(t, server);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  const stores = await open();
  t.true(await served(stores, files.manifest.version));
  await stores.close();
  t.is(await readFile(path.join(storeDir, 'current'), 'utf8'), files.manifest.version);
  await redis.flushall();
  const again = await open();
  t.is(again.current()?.manifest.version, files.manifest.version);
  await server.kill();
  const alone = await open();
  t.is(alone.current()?.manifest.version, files.manifest.version);
});

test('a version published while Redis was away is served after it is back', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { redis, open } = await setUp(t, server);
  const first = await someStoreFiles();
  await saveToRedis(redis, first);
  const stores = await open();
  t.true(await served(stores, first.manifest.version));
  await server.restart();
  const second = await someStoreFiles({ delayed: 2, builtAt: '2026-11-02T02:30:00Z' });
  await saveToRedis(redis, second);
  t.true(await served(stores, second.manifest.version));
});
