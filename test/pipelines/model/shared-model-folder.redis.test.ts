import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { readChoice } from '../../../pipelines/model/choice.ts';
import { listModels } from '../../../pipelines/model/model-folder.ts';
import { pinModel, rollBackModel } from '../../../pipelines/model/pin-or-roll-back.ts';
import { findModel } from '../../../pipelines/model/released-model.ts';
import { createPointers } from '../../../warehouse/lake/shared/pointers.ts';
import { sharedModelRegistry } from '../../../warehouse/lake/shared/shared-model-registry.ts';
import { folderObjects } from '../../../warehouse/objects/folder.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { modelFolders, releaseModelWith } from './helpers/models.ts';
import { subfolderObjects } from '../../../warehouse/objects/open.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Creates machines that share a Redis, a bucket and a clock. Each machine has its own model folder. */
async function aFleet(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const objects = subfolderObjects(folderObjects(await aFolder(t)), 'models');
  const clock = { now: Date.now() };
  return {
    ...{ redis, objects, clock },
    aMachine: async () => {
      const { modelsDir } = await modelFolders(t);
      const registry = sharedModelRegistry({
        ...{ folder: modelsDir, objects, pointers: createPointers(redis, objects, 0) },
        lock: (work) => work(),
        now: () => new Date(clock.now),
      });
      return {
        ...{ modelsDir, registry },
        release: (probability: number, day: string) =>
          registry.withLock(() => releaseModelWith(modelsDir, probability, day)),
        /** Reads the choice and the models of this machine, and the version that the next publish would use. */
        readState: async () => {
          await registry.refresh();
          const [choice, models] = [await readChoice(modelsDir), await listModels(modelsDir)];
          return { choice, models, next: (await findModel(modelsDir)).model?.version };
        },
      };
    },
  };
}

test('a release, pin or roll-back on one machine applies to all machines', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const first = await one.release(0.2, '2026-01-01');
  const second = await other.release(0.4, '2026-01-02');
  t.is((await one.readState()).next, second);
  t.deepEqual(await one.readState(), await other.readState());

  await one.registry.withLock(() => pinModel(one.modelsDir, first));
  t.is((await other.readState()).next, first);
  await other.registry.withLock(() => rollBackModel(other.modelsDir, first));
  const { choice } = await one.readState();
  t.deepEqual(choice, { released: first, pinned: first, withdrawn: [second] });
  t.deepEqual(await one.readState(), await other.readState());
});

test('when two machines release at once, the second builds on the result of the first', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const released: string[] = [];
  let isFirst = true;
  await one.registry.withLock(async () => {
    if (isFirst) released.push(await other.release(0.2, '2026-01-01'));
    isFirst = false;
    released.push(await releaseModelWith(one.modelsDir, 0.4, '2026-01-02'));
  });
  const { models, next } = await other.readState();
  t.is(next, released.at(-1));
  t.true(released.every((version) => models.some((model) => model.version === version)));
});

test('a machine that joins adds its models and takes over the shared choice', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, newMachine] = [await aMachine(), await aMachine()];
  const releasedVersion = await one.release(0.2, '2026-01-01');
  const own = await releaseModelWith(newMachine.modelsDir, 0.4, '2026-01-02');
  t.is((await newMachine.readState()).next, releasedVersion);
  t.true((await one.readState()).models.some(({ version }) => version === own));
});

/** The retention keeps the last model of each of seven days. */
const KEPT = 7;

test('models survive the loss of Redis; old ones are removed from all machines, and a day later from the bucket', async (t) => {
  const { aMachine, redis, objects, clock } = await aFleet(t);
  const one = await aMachine();
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8]) await one.release(day / 10, `2026-01-0${day}`);
  const before = await one.readState();
  await redis.flushall();
  const other = await aMachine();
  t.deepEqual(await other.readState(), before);
  t.is(before.models.filter(({ origin }) => origin === 'released').length, KEPT);

  await one.release(0.9, '2026-01-09');
  t.deepEqual(await other.readState(), await one.readState());
  t.is(await one.registry.tidy(), 0);
  clock.now += 2 * DAY_MS;
  t.true((await one.registry.tidy()) > 0);
  t.is((await objects.list('files/')).length, 2 * KEPT + 1);
});

test('the first machine does not restore models that others removed', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  await one.release(0.1, '2026-01-01');
  for (const day of [2, 3, 4, 5, 6, 7, 8]) await other.release(day / 10, `2026-01-0${day}`);
  t.deepEqual(await one.readState(), await other.readState());
  t.is((await one.readState()).models.filter(({ origin }) => origin === 'released').length, KEPT);
});

test('a release in a Redis restored from an older state keeps all earlier releases', async (t) => {
  const { aMachine, redis, objects } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const key = `hw:lake:${objects.place}`;
  await other.release(0.2, '2026-01-01');
  await one.readState();
  const older = await redis.hgetall(key);
  const second = await one.release(0.4, '2026-01-02');
  await redis.del(key);
  await redis.hset(key, older);
  const third = await other.release(0.6, '2026-01-03');
  const { models, next } = await one.readState();
  t.is(next, third);
  t.true(models.some(({ version }) => version === second));
});

test('models on a machine are not deleted when the pointers are missing', async (t) => {
  const { aMachine, redis, objects } = await aFleet(t);
  const one = await aMachine();
  const version = await one.release(0.2, '2026-01-01');
  await redis.flushall();
  for (const { name } of await objects.list('pointers/')) await objects.remove(name);
  const expectedError = { name: 'NoPointersError', message: /but the copy \S+ has models/ };
  await t.throwsAsync(one.readState(), expectedError);
  await t.throwsAsync(one.release(0.4, '2026-01-02'), expectedError);
  t.is((await findModel(one.modelsDir)).model?.version, version);
  const other = await aMachine();
  await t.throwsAsync(other.release(0.4, '2026-01-02'), {
    message: /, but \S+ has files, for example files\//,
  });
  t.is(await other.registry.tidy(), 0);
  await one.registry.replace();
  t.is((await one.readState()).next, version);
});

test('a damaged model is fetched again; a restored backup replaces all models', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, restored] = [await aMachine(), await aMachine()];
  const version = await one.release(0.2, '2026-01-01');
  await writeFile(path.join(one.modelsDir, version, 'model.onnx'), 'cut');
  t.is((await one.readState()).next, version);

  const backedUp = await releaseModelWith(restored.modelsDir, 0.4, '2025-01-01');
  await restored.registry.replace();
  const { next, models } = await one.readState();
  t.is(next, backedUp);
  t.false(models.some((model) => model.version === version));
});
