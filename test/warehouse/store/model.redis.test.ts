import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { hashContent, parseManifest } from '../../../warehouse/store/manifest.ts';
import { modelOf, withModel, type ModelFile } from '../../../warehouse/store/model.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { saveStore } from '../../../warehouse/store/publish.ts';
import { currentVersion, readFromRedis } from '../../../warehouse/store/redis.ts';
import { rollBack, RollbackRefusedError } from '../../../warehouse/store/rollback.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

const MODEL: ModelFile = { version: 'aaaa', bytes: Buffer.from('a model'), contract: 'c' };
const OTHER: ModelFile = { version: 'bbbb', bytes: Buffer.from('another model'), contract: 'c' };

async function places(t: ExecutionContext) {
  const storeDir = await mkdtemp(path.join(tmpdir(), 'headwind-store-'));
  t.teardown(() => rm(storeDir, { recursive: true }));
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  return { storeDir, redis };
}

function textOf(store: StoreFiles | undefined): string {
  return Buffer.from((store && modelOf(store)) ?? []).toString();
}

test('a store with a model has another version than the store without it, or with another model', async (t) => {
  const plain = await someStoreFiles();
  const [one, other] = [withModel(plain, MODEL), withModel(plain, OTHER)];
  const stores = [plain, one, other];
  t.is(new Set(stores.map(({ manifest }) => manifest.version)).size, 3);
  t.is(new Set(stores.map(({ manifest }) => hashContent(manifest))).size, 3);
  t.deepEqual(withModel(plain, MODEL), one);
  t.deepEqual(parseManifest(JSON.stringify(one.manifest)), one.manifest);
  t.like(one.manifest.model, { version: 'aaaa', bytes: 7, contract: 'c' });
});

test('a published model is the same on disk and in Redis, and the tables can be read', async (t) => {
  const { storeDir, redis } = await places(t);
  const version = await saveStore(storeDir, redis, withModel(await someStoreFiles(), MODEL));
  const [disk, inRedis] = [await readFromDisk(storeDir), await readFromRedis(redis, version)];
  t.is(textOf(disk), 'a model');
  t.is(textOf(inRedis), 'a model');
  t.is(openStore(inRedis).route('JFK', 'LAX')?.flightCount, 150);
});

test('a store without a model is valid', async (t) => {
  const { storeDir, redis } = await places(t);
  await saveStore(storeDir, redis, await someStoreFiles());
  const store = await readFromDisk(storeDir);
  t.is(store?.manifest.model, undefined);
  t.is(store && modelOf(store), undefined);
});

test('a new model is published without new data; the same model is not published again', async (t) => {
  const { storeDir, redis } = await places(t);
  const first = await saveStore(storeDir, redis, withModel(await someStoreFiles(), MODEL));
  const later = await someStoreFiles({ builtAt: '2026-11-02T02:30:00Z' });
  t.is(await saveStore(storeDir, redis, withModel(later, MODEL)), first);
  const second = await saveStore(storeDir, redis, withModel(later, OTHER));
  t.not(second, first);
  t.is(textOf(await readFromRedis(redis, second)), 'another model');
  await rollBack(storeDir, redis);
  t.is(await currentVersion(redis), first);
  t.is(textOf(await readFromDisk(storeDir)), 'a model');
});

test('a damaged or missing model is detected, and the tables still open', async (t) => {
  const store = withModel(await someStoreFiles(), MODEL);
  const damaged = {
    ...store,
    files: new Map(store.files).set('model.onnx', Buffer.from('b model')),
  };
  t.throws(() => modelOf(damaged), { instanceOf: CorruptFileError, message: /sha256/ });
  store.files.delete('model.onnx');
  t.throws(() => modelOf(store), { instanceOf: CorruptFileError, message: /missing/ });
  t.is(openStore(store).route('JFK', 'LAX')?.flightCount, 150);
});

test('a rollback to a version with a truncated or missing model is refused, and publishing repairs the model', async (t) => {
  const { storeDir, redis } = await places(t);
  const store = withModel(await someStoreFiles(), MODEL);
  const first = await saveStore(storeDir, redis, store);
  const later = await someStoreFiles({ delayed: 11, builtAt: '2026-11-02T02:30:00Z' });
  await saveStore(storeDir, redis, withModel(later, MODEL));
  const file = path.join(storeDir, first, 'model.onnx');
  for (const damage of [() => truncate(file, 3), () => rm(file)]) {
    await damage();
    await t.throwsAsync(rollBack(storeDir, redis, first), { instanceOf: RollbackRefusedError });
  }
  await saveStore(storeDir, redis, store);
  t.is(textOf(await readFromDisk(storeDir)), 'a model');
});
