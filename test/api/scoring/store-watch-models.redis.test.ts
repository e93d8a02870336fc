import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { connectRedis } from '../../../api/redis.ts';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { watchStores } from '../../../api/scoring/store-watch.ts';
import { linear } from '../../../models/onnx/blocks.ts';
import type { Graph } from '../../../models/onnx/graph.ts';
import { modelOf, withModel } from '../../../warehouse/store/model.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { CURRENT_CONTRACT, someMetadata, someModel } from '../../models/helpers/model.ts';
import { until } from '../../jobs/helpers/command.ts';
import { captureLog } from '../helpers/app.ts';

const REFRESH_EVERY_MS = 50;

const REFUSED = 'model refused, scores use statistics only';

async function setUp(t: ExecutionContext) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-model-feed-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const { log, lines } = captureLog();
  const open = async () => {
    const models = createStoreModels(log);
    const stores = await watchStores({
      connect: () => connectRedis(server.url),
      storeDir,
      models,
      log,
      refreshEveryMs: REFRESH_EVERY_MS,
    });
    t.teardown(stores.close);
    const model = () => {
      const store = stores.current();
      return store && models.modelFor(store);
    };
    const untilServed = ({ manifest }: StoreFiles) =>
      until('it serves', () => stores.current()?.manifest.version === manifest.version);
    return { stores, models, model, untilServed };
  };
  const refusals = () => lines().filter(({ msg }) => msg === REFUSED);
  return { storeDir, redis, open, refusals };
}

type StoreOptions = { day?: number; bytes?: Uint8Array };

/** A store built on the given day, with the model. */
async function aStoreWith({ day = 1, bytes = someModel() }: StoreOptions = {}) {
  const builtAt = `2026-11-0${day}T02:30:00Z`;
  const files = await someStoreFiles({ delayed: day, builtAt });
  return withModel(files, { version: `v${day}`, bytes, contract: CURRENT_CONTRACT.contract });
}

const aRow = () => new Float32Array(CURRENT_CONTRACT.features.length);

test('a store is loaded together with its model', async (t) => {
  const { redis, open } = await setUp(t);
  const store = await aStoreWith();
  await saveToRedis(redis, store);
  const { model, untilServed } = await open();
  await untilServed(store);
  t.is(Math.round(100 * (model()?.predict(aRow())[0] ?? 0)), 40);
  t.deepEqual(model()?.metadata.trainedOn.months, ['2025-01', '2025-02']);
});

test('an answer that began with a store keeps its model after the swap', async (t) => {
  const { redis, open } = await setUp(t);
  const [first, second] = [
    await aStoreWith({ day: 1, bytes: someModel({ probability: 0.2 }) }),
    await aStoreWith({ day: 2, bytes: someModel({ probability: 0.8 }) }),
  ];
  await saveToRedis(redis, first);
  const { stores, models, model, untilServed } = await open();
  await untilServed(first);
  const former = stores.current();
  await saveToRedis(redis, second);
  await untilServed(second);
  const percent = (found = model()) => Math.round(100 * (found?.predict(aRow())[0] ?? 0));
  t.is(percent(), 80);
  t.is(percent(former && models.modelFor(former)), 20);
});

test('a store whose model is refused is used without it, and the refusal is logged once', async (t) => {
  const { redis, open, refusals } = await setUp(t);
  const { model, untilServed } = await open();
  const intact = someModel();
  const zeros = CURRENT_CONTRACT.features.map(() => 0);
  const constantNaN = (graph: Graph) =>
    linear(graph, { weights: zeros, fill: zeros, intercept: Number.NaN });
  const bad: [reason: RegExp, bytes: Uint8Array][] = [
    [/not a complete ONNX file/, intact.subarray(0, intact.length - 20)],
    [/input is features/, someModel({ featureCount: CURRENT_CONTRACT.features.length + 2 })],
    [/predicts NaN/, someModel({ build: constantNaN })],
    [/trained for contract other/, someModel({ metadata: someMetadata({ contract: 'other' }) })],
  ];
  for (const [index, [reason, bytes]] of bad.entries()) {
    const store = await aStoreWith({ day: index + 1, bytes });
    await saveToRedis(redis, store);
    await untilServed(store);
    t.is(model(), undefined);
    // Waits longer than the interval of refreshes.
    if (index === 0) await sleep(10 * REFRESH_EVERY_MS);
    t.is(refusals().length, index + 1);
    t.regex(JSON.stringify(refusals()[index]), reason);
  }
  const good = await aStoreWith({ day: 9 });
  await saveToRedis(redis, good);
  await untilServed(good);
  t.not(model(), undefined);
});

test('a model damaged in Redis is not used until its version is published again', async (t) => {
  const { redis, open, refusals } = await setUp(t);
  const store = await aStoreWith();
  const damaged = { ...store, files: new Map(store.files).set('model.onnx', Buffer.from('x')) };
  await saveToRedis(redis, damaged);
  const { model, untilServed } = await open();
  await untilServed(store);
  t.is(model(), undefined);
  t.is(refusals().length, 1);
  await saveToRedis(redis, store);
  await until('the model is in use again', () => model() !== undefined);
  t.is(refusals().length, 1);
});

test('a model truncated on disk is read again from Redis', async (t) => {
  const { storeDir, redis, open, refusals } = await setUp(t);
  const store = await aStoreWith();
  await saveToRedis(redis, store);
  const first = await open();
  await first.untilServed(store);
  await first.stores.close();
  await truncate(path.join(storeDir, store.manifest.version, 'model.onnx'), 100);
  const again = await open();
  t.is(again.stores.current()?.manifest.version, store.manifest.version);
  await until('the model is in use again', () => again.model() !== undefined);
  t.is(refusals().length, 1);
  t.is(modelOf(store)?.length, store.manifest.model?.bytes);
});
