import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ModelChangeRefusedError } from '../../../pipelines/errors.ts';
import { readChoice } from '../../../pipelines/model/choice.ts';
import {
  followStore,
  pinModel,
  rollBackModel,
  unpinModel,
} from '../../../pipelines/model/pin-or-roll-back.ts';
import { BUNDLED_DIR, versionOf } from '../../../pipelines/model/model-folder.ts';
import { findModel, findReleased } from '../../../pipelines/model/released-model.ts';

import { someModel } from '../../models/helpers/model.ts';
import { modelFolders, releaseModelWith } from './helpers/models.ts';

/** Releases three models in turn; the bundled one is the real one. */
async function threeReleases(t: ExecutionContext) {
  const { modelsDir } = await modelFolders(t);
  const first = await releaseModelWith(modelsDir, 0.1, '2026-01-01');
  const second = await releaseModelWith(modelsDir, 0.2, '2026-01-02');
  const third = await releaseModelWith(modelsDir, 0.3, '2026-01-03');
  const bundled = versionOf(await readFile(path.join(BUNDLED_DIR, 'model.onnx')));
  const published = async () => (await findModel(modelsDir)).model?.version;
  return { modelsDir, first, second, third, bundled, published };
}

test('a pinned model is published until it is unpinned, even if another model is released', async (t) => {
  const { modelsDir, first, published } = await threeReleases(t);
  t.is(await pinModel(modelsDir, first), first);
  const fourth = await releaseModelWith(modelsDir, 0.4, '2026-01-04');
  t.is(await published(), first);
  t.is(await unpinModel(modelsDir), first);
  t.is(await published(), fourth);
  t.is(await unpinModel(modelsDir), undefined);
});

test('the bundled model can be pinned by its name and by its version', async (t) => {
  const { modelsDir, bundled, published } = await threeReleases(t);
  t.is(await pinModel(modelsDir, 'bundled'), 'bundled');
  t.is(await published(), bundled);
  t.is(await pinModel(modelsDir, bundled), 'bundled');
});

test('a missing or damaged model is not pinned, and nothing changes', async (t) => {
  const { modelsDir, first, second, third } = await threeReleases(t);
  const error = await t.throwsAsync(pinModel(modelsDir, '0123456789ab'), {
    instanceOf: ModelChangeRefusedError,
  });
  t.is(
    error?.message,
    `0123456789ab is not in the model folder; available models: ${third}, ${second}, ${first}, bundled`,
  );
  await writeFile(path.join(modelsDir, first, 'model.onnx'), 'damaged');
  await t.throwsAsync(pinModel(modelsDir, first), {
    message: /cannot be published: not a complete ONNX file/,
  });
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('a roll-back goes to the previous release, finally to the bundled model, and no further', async (t) => {
  const { modelsDir, first, second, third, bundled, published } = await threeReleases(t);
  t.deepEqual(await rollBackModel(modelsDir), { from: third, to: second });
  t.is(await published(), second);
  t.deepEqual(await rollBackModel(modelsDir), { from: second, to: first });
  t.deepEqual(await rollBackModel(modelsDir), { from: first, to: 'bundled' });
  t.is(await published(), bundled);
  await t.throwsAsync(rollBackModel(modelsDir), {
    message: /^there is no earlier model; available models/,
  });
});

test('a withdrawn model is skipped in roll-backs, and restored when it is named', async (t) => {
  const { modelsDir, second, third, published } = await threeReleases(t);
  await rollBackModel(modelsDir);
  await t.throwsAsync(releaseModelWith(modelsDir, 0.3), { name: 'ModelWithdrawnError' });
  const fourth = await releaseModelWith(modelsDir, 0.4, '2026-01-04');
  t.deepEqual(await rollBackModel(modelsDir), { from: fourth, to: second });
  t.deepEqual(await rollBackModel(modelsDir, third), { from: second, to: third });
  t.is(await published(), third);
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [fourth] });
});

test('a roll-back can name its target, which must not be the released model', async (t) => {
  const { modelsDir, first, third } = await threeReleases(t);
  await t.throwsAsync(rollBackModel(modelsDir, third), { message: /is already released/ });
  t.deepEqual(await rollBackModel(modelsDir, first), { from: third, to: first });
});

test('rolling back from the pinned model unpins it; another pin stays', async (t) => {
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

test('rolling back the store rolls back its model, and withdraws the other one', async (t) => {
  const { modelsDir, second, third, published } = await threeReleases(t);
  const to = { version: second, bytes: someModel({ probability: 0.2 }) };
  const change = await followStore(modelsDir, { from: third, to, isToOlder: true });
  t.deepEqual(change, { from: third, to: second });
  t.is(await published(), second);
  t.deepEqual((await readChoice(modelsDir)).withdrawn, [third]);
  const newerModel = { version: third, bytes: someModel({ probability: 0.3 }) };
  await followStore(modelsDir, { from: second, to: newerModel, isToOlder: false });
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('rolling back the store can restore the bundled model', async (t) => {
  const { modelsDir, third, bundled } = await threeReleases(t);
  const to = { version: bundled, bytes: new Uint8Array() };
  t.deepEqual(await followStore(modelsDir, { from: third, to, isToOlder: true }), {
    from: third,
    to: 'bundled',
  });
  t.is((await findReleased(modelsDir)).model?.version, bundled);
});

test('rolling back the store changes nothing if its model stays or is missing, or if the current model is not released', async (t) => {
  const { modelsDir, first, second, third } = await threeReleases(t);
  const to = { version: second, bytes: someModel({ probability: 0.2 }) };
  t.is(await followStore(modelsDir, { from: second, to, isToOlder: true }), undefined);
  t.is(await followStore(modelsDir, { from: third, to: undefined, isToOlder: true }), undefined);
  t.is(await followStore(modelsDir, { from: first, to, isToOlder: true }), undefined);
  t.deepEqual(await readChoice(modelsDir), { released: third, withdrawn: [] });
});

test('a model that only the store still has is stored again', async (t) => {
  const { modelsDir, third, published } = await threeReleases(t);
  const bytes = someModel({ probability: 0.6 });
  const to = { version: versionOf(bytes), bytes };
  await followStore(modelsDir, { from: third, to, isToOlder: true });
  t.is(await published(), to.version);
});
