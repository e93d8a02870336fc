import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { connectRedis } from '../../../api/redis.ts';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { watchStores, type StoreWatch } from '../../../api/scoring/store-watch.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis, startRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { until } from '../../jobs/helpers/command.ts';
import { captureLog } from '../helpers/app.ts';

async function setUp(t: ExecutionContext, server?: { url: string }) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-stores-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const { url } = server ?? (await borrowRedis((stop) => t.teardown(stop)));
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  const { log, lines } = captureLog();
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
  /** Waits until a store is refused. */
  const waitUntilRefused = () =>
    until('the store is refused', () => lines().some(({ level }) => level === 50));
  return { storeDir, url, redis, open, log, waitUntilRefused };
}

const waitUntilServed = (stores: StoreWatch, version: string) =>
  until(`${version} is served`, () => stores.current()?.manifest.version === version);

test('without a published store there is no current store, and the first publish is loaded without a restart', async (t) => {
  const { redis, open } = await setUp(t);
  const stores = await open();
  t.is(stores.current(), undefined);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  await waitUntilServed(stores, files.manifest.version);
  t.is(stores.current()?.route('JFK', 'LAX')?.flightCount, 150);
});

test('a newer version replaces the current one, and a store in use by an answer does not change', async (t) => {
  const { redis, open } = await setUp(t);
  const first = await someStoreFiles({ delayed: 1 });
  await saveToRedis(redis, first);
  const stores = await open();
  await waitUntilServed(stores, first.manifest.version);
  const former = stores.current();
  const second = await someStoreFiles({ delayed: 40, builtAt: '2026-11-02T02:30:00Z' });
  await saveToRedis(redis, second);
  await waitUntilServed(stores, second.manifest.version);
  t.is(former?.routeCarrier('JFK', 'LAX', 'DL')?.delayedCount, 1);
  t.is(stores.current()?.routeCarrier('JFK', 'LAX', 'DL')?.delayedCount, 40);
});

test('a damaged version is refused and the former version stays in use', async (t) => {
  const { redis, open, waitUntilRefused } = await setUp(t);
  const good = await someStoreFiles();
  await saveToRedis(redis, good);
  const stores = await open();
  await waitUntilServed(stores, good.manifest.version);
  const bad = await someStoreFiles({ delayed: 2, builtAt: '2026-11-02T02:30:00Z' });
  bad.files.set('routes.arrow', Buffer.from('damaged'));
  await saveToRedis(redis, bad);
  const better = await someStoreFiles({ delayed: 3, builtAt: '2026-11-03T02:30:00Z' });
  await waitUntilRefused();
  t.is(stores.current()?.manifest.version, good.manifest.version);
  await saveToRedis(redis, better);
  await waitUntilServed(stores, better.manifest.version);
});

test('a version that was damaged in Redis is loaded after it is published again', async (t) => {
  const { redis, open, waitUntilRefused } = await setUp(t);
  const files = await someStoreFiles();
  const routes = files.files.get('routes.arrow') ?? new Uint8Array();
  files.files.set('routes.arrow', Buffer.from('damaged'));
  await saveToRedis(redis, files);
  const stores = await open();
  await waitUntilRefused();
  t.is(stores.current(), undefined);
  files.files.set('routes.arrow', routes);
  await saveToRedis(redis, files);
  await waitUntilServed(stores, files.manifest.version);
});

test('a version repaired while its damaged copy is being read is loaded', async (t) => {
  const { redis, url, storeDir, log } = await setUp(t);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  const repaired = Promise.withResolvers<boolean>();
  let isFirst = true;
  const prepare = async () => {
    if (!isFirst) {
      repaired.resolve(true);
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
  await waitUntilServed(stores, files.manifest.version);
  t.true(await repaired.promise);
});

test('the last intact version is stored on disk and used while Redis has no store', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { storeDir, redis, open } = await setUp(t, server);
  const files = await someStoreFiles();
  await saveToRedis(redis, files);
  const stores = await open();
  await waitUntilServed(stores, files.manifest.version);
  await stores.close();
  t.is(await readFile(path.join(storeDir, 'current'), 'utf8'), files.manifest.version);
  await redis.flushall();
  const again = await open();
  t.is(again.current()?.manifest.version, files.manifest.version);
  await server.kill();
  const offline = await open();
  t.is(offline.current()?.manifest.version, files.manifest.version);
});

test('a version published during an outage of Redis is loaded after the outage', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { redis, open } = await setUp(t, server);
  const first = await someStoreFiles();
  await saveToRedis(redis, first);
  const stores = await open();
  await waitUntilServed(stores, first.manifest.version);
  await server.restart();
  const second = await someStoreFiles({ delayed: 2, builtAt: '2026-11-02T02:30:00Z' });
  await saveToRedis(redis, second);
  await waitUntilServed(stores, second.manifest.version);
  t.is(stores.current()?.routeCarrier('JFK', 'LAX', 'DL')?.delayedCount, 2);
});
