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
import type { StoreFiles } from '../../../warehouse/store/open.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { OURS, someMetadata, someModel } from '../../models/helpers/model.ts';
import { until } from '../../jobs/helpers/command.ts';
import { keptLog } from '../helpers/app.ts';

const LOOK_EVERY_MS = 50;

const REFUSED = 'model refused, scores rest on statistics alone';

async function setUp(t: ExecutionContext) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-model-feed-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const { log, lines } = keptLog();
  const open = async () => {
    const models = createStoreModels(log);
    const stores = await watchStores({
      connect: () => connectRedis(server.url),
      storeDir,
      models,
      log,
      lookEveryMs: LOOK_EVERY_MS,
    });
    t.teardown(stores.close);
    const model = () => {
      const store = stores.current();
      return store && models.of(store);
    };
    const serves = ({ manifest }: StoreFiles) =>
      until('it serves', () => stores.current()?.manifest.version === manifest.version);
    return { stores, models, model, serves };
  };
  const refusals = () => lines().filter(({ msg }) => msg === REFUSED);
  return { storeDir, redis, open, refusals };
}

type Night = { day?: number; bytes?: Uint8Array };

/** The store of a night, with that model. */
async function night({ day = 1, bytes = someModel() }: Night = {}) {
  const builtAt = `2026-11-0${day}T02:30:00Z`;
  const files = await someStoreFiles({ delayed: day, builtAt });
  return withModel(files, { version: `v${day}`, bytes, contract: OURS.contract });
}

const aRow = () => new Float32Array(OURS.features.length);

test('a store is served together with its model', async (t) => {
  const { redis, open } = await setUp(t);
  const store = await night();
  await saveToRedis(redis, store);
  const { model, serves } = await open();
  await serves(store);
  t.is(Math.round(100 * (model()?.predict(aRow())[0] ?? 0)), 40);
  t.deepEqual(model()?.metadata.trainedOn.months, ['2025-01', '2025-02']);
});

test('an answer that began with a store goes on with its model after the swap', async (t) => {
  const { redis, open } = await setUp(t);
  const [first, second] = [
    await night({ day: 1, bytes: someModel({ probability: 0.2 }) }),
    await night({ day: 2, bytes: someModel({ probability: 0.8 }) }),
  ];
  await saveToRedis(redis, first);
  const { stores, models, model, serves } = await open();
  await serves(first);
  const held = stores.current();
  await saveToRedis(redis, second);
  await serves(second);
  const percent = (found = model()) => Math.round(100 * (found?.predict(aRow())[0] ?? 0));
  t.is(percent(), 80);
  t.is(percent(held && models.of(held)), 20);
});

test('a model that must not serve leaves its store serving without it, and is logged once', async (t) => {
  const { redis, open, refusals } = await setUp(t);
  const { model, serves } = await open();
  const whole = someModel();
  const none = OURS.features.map(() => 0);
  const nothing = (graph: Graph) =>
    linear(graph, { weights: none, fill: none, intercept: Number.NaN });
  const bad: [what: RegExp, bytes: Uint8Array][] = [
    [/not a whole ONNX file/, whole.subarray(0, whole.length - 20)],
    [/input is features/, someModel({ featureCount: OURS.features.length + 2 })],
    [/answers NaN/, someModel({ build: nothing })],
    [/trained for contract other/, someModel({ metadata: someMetadata({ contract: 'other' }) })],
  ];
  for (const [index, [what, bytes]] of bad.entries()) {
    const store = await night({ day: index + 1, bytes });
    await saveToRedis(redis, store);
    await serves(store);
    t.is(model(), undefined);
    // Longer than the stores waits between two looks.
    if (index === 0) await sleep(10 * LOOK_EVERY_MS);
    t.is(refusals().length, index + 1);
    t.regex(JSON.stringify(refusals()[index]), what);
  }
  const good = await night({ day: 9 });
  await saveToRedis(redis, good);
  await serves(good);
  t.not(model(), undefined);
});

test('a model damaged in Redis is out until its version is published again', async (t) => {
  const { redis, open, refusals } = await setUp(t);
  const store = await night();
  const damaged = { ...store, files: new Map(store.files).set('model.onnx', Buffer.from('x')) };
  await saveToRedis(redis, damaged);
  const { model, serves } = await open();
  await serves(store);
  t.is(model(), undefined);
  t.is(refusals().length, 1);
  await saveToRedis(redis, store);
  await until('the model is back', () => model() !== undefined);
  t.is(refusals().length, 1);
});

test('a model cut short on disk is fetched again from Redis', async (t) => {
  const { storeDir, redis, open, refusals } = await setUp(t);
  const store = await night();
  await saveToRedis(redis, store);
  const first = await open();
  await first.serves(store);
  await first.stores.close();
  await truncate(path.join(storeDir, store.manifest.version, 'model.onnx'), 100);
  const again = await open();
  t.is(again.stores.current()?.manifest.version, store.manifest.version);
  await until('the model is back', () => again.model() !== undefined);
  t.is(refusals().length, 1);
  t.is(modelOf(store)?.length, store.manifest.model?.bytes);
});
