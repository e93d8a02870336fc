import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ModelNotKeptError } from '../../../pipelines/errors.ts';
import { readChoice } from '../../../pipelines/model/choice.ts';
import {
  followStore,
  pinModel,
  rollBackModel,
  unpinModel,
} from '../../../pipelines/model/pin-or-roll-back.ts';
import { BUNDLED_DIR, versionOf } from '../../../pipelines/model/kept.ts';
import { findModel, findReleased } from '../../../pipelines/model/released.ts';

import { someModel } from '../../models/helpers/model.ts';
import { modelFolders, releaseOf } from './helpers/models.ts';

/** Three models released one after the other; the bundled one is the real one. */
async function threeReleases(t: ExecutionContext) {
  const { modelsDir } = await modelFolders(t);
  const first = await releaseOf(modelsDir, 0.1, '2026-01-01');
  const second = await releaseOf(modelsDir, 0.2, '2026-01-02');
  const third = await releaseOf(modelsDir, 0.3, '2026-01-03');
  const bundled = versionOf(await readFile(path.join(BUNDLED_DIR, 'model.onnx')));
  const published = async () => (await findModel(modelsDir)).model?.version;
  return { modelsDir, first, second, third, bundled, published };
}

test('a pinned model is published whatever is released, until it is unpinned', async (t) => {
  const { modelsDir, first, published } = await threeReleases(t);
  t.is(await pinModel(modelsDir, first), first);
  const fourth = await releaseOf(modelsDir, 0.4, '2026-01-04');
  t.is(await published(), first);
  t.is(await unpinModel(modelsDir), first);
  t.is(await published(), fourth);
  t.is(await unpinModel(modelsDir), undefined);
});

test('the bundled model can be pinned by its word and by its version', async (t) => {
  const { modelsDir, bundled, published } = await threeReleases(t);
  t.is(await pinModel(modelsDir, 'bundled'), 'bundled');
  t.is(await published(), bundled);
  t.is(await pinModel(modelsDir, bundled), 'bundled');
});

test('a model that is not kept, or damaged, is not pinned, and nothing changes', async (t) => {
  const { modelsDir, first, second, third } = await threeReleases(t);
  const error = await t.throwsAsync(pinModel(modelsDir, '0123456789ab'), {
    instanceOf: ModelNotKeptError,
  });
  t.is(error?.message, `0123456789ab is not kept; kept are ${third}, ${second}, ${first}, bundled`);
  await writeFile(path.join(modelsDir, first, 'model.onnx'), 'damaged');
  await t.throwsAsync(pinModel(modelsDir, first), { message: /cannot be published: not a whole/ });
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('a roll back goes to the release before, and on to the bundled model, and no further', async (t) => {
  const { modelsDir, first, second, third, bundled, published } = await threeReleases(t);
  t.deepEqual(await rollBackModel(modelsDir), { from: third, to: second });
  t.is(await published(), second);
  t.deepEqual(await rollBackModel(modelsDir), { from: second, to: first });
  t.deepEqual(await rollBackModel(modelsDir), { from: first, to: 'bundled' });
  t.is(await published(), bundled);
  await t.throwsAsync(rollBackModel(modelsDir), { message: /^there is none before it; kept are/ });
});

test('what was rolled back from is passed by, and comes back when it is named', async (t) => {
  const { modelsDir, second, third, published } = await threeReleases(t);
  await rollBackModel(modelsDir);
  await t.throwsAsync(releaseOf(modelsDir, 0.3), { name: 'ModelWithdrawnError' });
  const fourth = await releaseOf(modelsDir, 0.4, '2026-01-04');
  t.deepEqual(await rollBackModel(modelsDir), { from: fourth, to: second });
  t.deepEqual(await rollBackModel(modelsDir, third), { from: second, to: third });
  t.is(await published(), third);
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [fourth] });
});

test('a roll back names the version it may go to, and not the one there is', async (t) => {
  const { modelsDir, first, third } = await threeReleases(t);
  await t.throwsAsync(rollBackModel(modelsDir, third), { message: /is the released one/ });
  t.deepEqual(await rollBackModel(modelsDir, first), { from: third, to: first });
});

test('rolling back from what is pinned unpins it; another pin stays', async (t) => {
  const { modelsDir, first, second, third, published } = await threeReleases(t);
  await pinModel(modelsDir, third);
  await rollBackModel(modelsDir);
  t.is(await published(), second);
  await pinModel(modelsDir, second);
  await rollBackModel(modelsDir, first);
  await pinModel(modelsDir, third);
  await rollBackModel(modelsDir, 'bundled');
  t.is(await published(), third);
});

test('a store that goes back takes its model with it, and the one it leaves is withdrawn', async (t) => {
  const { modelsDir, second, third, published } = await threeReleases(t);
  const to = { version: second, bytes: someModel({ probability: 0.2 }) };
  const moved = await followStore(modelsDir, { from: third, to, isBack: true });
  t.deepEqual(moved, { from: third, to: second });
  t.is(await published(), second);
  t.deepEqual((await readChoice(modelsDir)).withdrawn, [third]);
  const back = { version: third, bytes: someModel({ probability: 0.3 }) };
  await followStore(modelsDir, { from: second, to: back, isBack: false });
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('a store goes back to the bundled model, too', async (t) => {
  const { modelsDir, third, bundled } = await threeReleases(t);
  const to = { version: bundled, bytes: new Uint8Array() };
  t.deepEqual(await followStore(modelsDir, { from: third, to, isBack: true }), {
    from: third,
    to: 'bundled',
  });
  t.is((await findReleased(modelsDir)).model?.version, bundled);
});

test('a store with the same model, or none, moves none, nor does one whose model is not the released one', async (t) => {
  const { modelsDir, first, second, third } = await threeReleases(t);
  const to = { version: second, bytes: someModel({ probability: 0.2 }) };
  t.is(await followStore(modelsDir, { from: second, to, isBack: true }), undefined);
  t.is(await followStore(modelsDir, { from: third, to: undefined, isBack: true }), undefined);
  t.is(await followStore(modelsDir, { from: first, to, isBack: true }), undefined);
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('a model that only its store still has is kept again', async (t) => {
  const { modelsDir, third, published } = await threeReleases(t);
  const bytes = someModel({ probability: 0.6 });
  const to = { version: versionOf(bytes), bytes };
  await followStore(modelsDir, { from: third, to, isBack: true });
  t.is(await published(), to.version);
});
