import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { readChoice } from '../../../pipelines/model/choice.ts';
import { keptModels } from '../../../pipelines/model/kept.ts';
import { pinModel, rollBackModel } from '../../../pipelines/model/pin-or-roll-back.ts';
import { findModel } from '../../../pipelines/model/released.ts';
import { createPointers } from '../../../warehouse/lake/shared/pointers.ts';
import { sharedShelf } from '../../../warehouse/lake/shared/shared-shelf.ts';
import { folderObjects } from '../../../warehouse/objects/folder.ts';
import { within } from '../../../warehouse/objects/within.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { modelFolders, releaseOf } from './helpers/models.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Machines with a folder of models each, and what they share. */
async function aFleet(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const objects = within(folderObjects(await aFolder(t)), 'models');
  const clock = { now: Date.now() };
  return {
    ...{ redis, objects, clock },
    aMachine: async () => {
      const { modelsDir } = await modelFolders(t);
      const shelf = sharedShelf({
        ...{ folder: modelsDir, objects, pointers: createPointers(redis, objects, 0) },
        lock: (work) => work(),
        now: () => new Date(clock.now),
      });
      return {
        ...{ modelsDir, shelf },
        release: (probability: number, day: string) =>
          shelf.alone(() => releaseOf(modelsDir, probability, day)),
        /** What it says of models, for a person and for the next publish. */
        says: async () => {
          await shelf.refresh();
          const [choice, kept] = [await readChoice(modelsDir), await keptModels(modelsDir)];
          return { choice, kept, next: (await findModel(modelsDir)).model?.version };
        },
      };
    },
  };
}

test('a model released, pinned or gone back from on one machine is so on all', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const first = await one.release(0.2, '2026-01-01');
  const second = await other.release(0.4, '2026-01-02');
  t.is((await one.says()).next, second);
  t.deepEqual(await one.says(), await other.says());

  await one.shelf.alone(() => pinModel(one.modelsDir, first));
  t.is((await other.says()).next, first);
  await other.shelf.alone(() => rollBackModel(other.modelsDir, first));
  const { choice } = await one.says();
  t.deepEqual(choice, { released: first, pinned: first, withdrawn: [second] });
  t.deepEqual(await one.says(), await other.says());
});

test('of two machines that release at once, the second does so on what the first left', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const released: string[] = [];
  let isFirst = true;
  await one.shelf.alone(async () => {
    if (isFirst) released.push(await other.release(0.2, '2026-01-01'));
    isFirst = false;
    released.push(await releaseOf(one.modelsDir, 0.4, '2026-01-02'));
  });
  const { kept, next } = await other.says();
  t.is(next, released.at(-1));
  t.true(released.every((version) => kept.some((model) => model.version === version)));
});

test('a machine that joins brings its models, and takes the choice of those before it', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, joining] = [await aMachine(), await aMachine()];
  const chosen = await one.release(0.2, '2026-01-01');
  const own = await releaseOf(joining.modelsDir, 0.4, '2026-01-02');
  t.is((await joining.says()).next, chosen);
  t.true((await one.says()).kept.some(({ version }) => version === own));
});

test('models outlive Redis; old ones go from all machines, and a day later from the bucket', async (t) => {
  const { aMachine, redis, objects, clock } = await aFleet(t);
  const one = await aMachine();
  for (const day of [1, 2, 3, 4, 5, 6]) await one.release(day / 10, `2026-01-0${day}`);
  const before = await one.says();
  await redis.flushall();
  const other = await aMachine();
  t.deepEqual(await other.says(), before);
  t.is(before.kept.filter(({ origin }) => origin === 'released').length, 5);

  await one.release(0.7, '2026-01-07');
  t.deepEqual(await other.says(), await one.says());
  t.is(await one.shelf.tidy(), 0);
  clock.now += 2 * DAY_MS;
  t.true((await one.shelf.tidy()) > 0);
  t.is((await objects.list('files/')).length, 2 * 5 + 1);
});

test('the first machine brings back no model that others removed', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  await one.release(0.1, '2026-01-01');
  for (const day of [2, 3, 4, 5, 6]) await other.release(day / 10, `2026-01-0${day}`);
  t.deepEqual(await one.says(), await other.says());
  t.is((await one.says()).kept.filter(({ origin }) => origin === 'released').length, 5);
});

test('a release in a Redis that came back older takes back no release before it', async (t) => {
  const { aMachine, redis, objects } = await aFleet(t);
  const [one, other] = [await aMachine(), await aMachine()];
  const key = `hw:lake:${objects.place}`;
  await other.release(0.2, '2026-01-01');
  await one.says();
  const older = await redis.hgetall(key);
  const second = await one.release(0.4, '2026-01-02');
  await redis.del(key);
  await redis.hset(key, older);
  const third = await other.release(0.6, '2026-01-03');
  const { kept, next } = await one.says();
  t.is(next, third);
  t.true(kept.some(({ version }) => version === second));
});

test('models here are not deleted for want of pointers', async (t) => {
  const { aMachine, redis, objects } = await aFleet(t);
  const one = await aMachine();
  const version = await one.release(0.2, '2026-01-01');
  await redis.flushall();
  for (const { name } of await objects.list('pointers/')) await objects.remove(name);
  const isTold = { name: 'NoPointersError', message: /is a copy of it and has models/ };
  await t.throwsAsync(one.says(), isTold);
  await t.throwsAsync(one.release(0.4, '2026-01-02'), isTold);
  t.is((await findModel(one.modelsDir)).model?.version, version);
  const other = await aMachine();
  await t.throwsAsync(other.release(0.4, '2026-01-02'), { message: /it holds files, files\// });
  t.is(await other.shelf.tidy(), 0);
  await one.shelf.replace();
  t.is((await one.says()).next, version);
});

test('a model that is damaged here is fetched anew; a backup takes the place of all there was', async (t) => {
  const { aMachine } = await aFleet(t);
  const [one, restored] = [await aMachine(), await aMachine()];
  const version = await one.release(0.2, '2026-01-01');
  await writeFile(path.join(one.modelsDir, version, 'model.onnx'), 'cut');
  t.is((await one.says()).next, version);

  const backedUp = await releaseOf(restored.modelsDir, 0.4, '2025-01-01');
  await restored.shelf.replace();
  const { next, kept } = await one.says();
  t.is(next, backedUp);
  t.false(kept.some((model) => model.version === version));
});
