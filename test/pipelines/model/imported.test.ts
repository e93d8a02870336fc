import { readdir } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { ModelChangeRefusedError } from '../../../pipelines/errors.ts';
import { listModels, pruneModels, storeModel } from '../../../pipelines/model/model-folder.ts';
import {
  pinModel,
  removeImported,
  rollBackModel,
} from '../../../pipelines/model/pin-or-roll-back.ts';
import { findModel, findReleased, releaseModel } from '../../../pipelines/model/released-model.ts';
import { anImportedFile } from '../../models/helpers/foreign.ts';
import { aCard, modelFolders, releaseModelWith } from './helpers/models.ts';

const bytes = anImportedFile();

/** A model folder with two of our own releases, and an imported model that was not released. */
async function aFolder(t: ExecutionContext) {
  const { modelsDir } = await modelFolders(t);
  const first = await releaseModelWith(modelsDir, 0.1, '2026-01-01');
  const second = await releaseModelWith(modelsDir, 0.2, '2026-01-02');
  const card = { isReleased: false, why: 'not released: no gain' };
  const imported = await storeModel(modelsDir, { bytes, card });
  const published = async () => {
    const { model } = await findModel(modelsDir);
    return [model?.version, model?.origin, model?.fallback?.version];
  };
  return { modelsDir, first, second, imported, published };
}

test('a stored import is published only when it is pinned, with the released model as its fallback', async (t) => {
  const { modelsDir, second, imported, published } = await aFolder(t);
  t.deepEqual(await published(), [second, 'released', undefined]);
  await pinModel(modelsDir, imported);
  t.deepEqual(await published(), [imported, 'imported', second]);
  t.is((await findReleased(modelsDir)).model?.version, second);
});

test('a released import is beaten or rolled back like any other model', async (t) => {
  const { modelsDir, first, second, imported, published } = await aFolder(t);
  await releaseModel(modelsDir, { bytes, card: aCard('2026-01-03') });
  t.deepEqual(await published(), [imported, 'imported', second]);
  t.is((await findReleased(modelsDir)).model?.version, imported);
  t.deepEqual(await rollBackModel(modelsDir), { from: imported, to: second });
  t.deepEqual(await published(), [second, 'released', undefined]);
  await t.throwsAsync(releaseModel(modelsDir, { bytes, card: aCard() }), {
    message: /a rollback withdrew/,
  });
  await rollBackModel(modelsDir, imported);
  await rollBackModel(modelsDir, first);
  t.deepEqual(await published(), [first, 'released', undefined]);
});

test('a roll-back without a name skips an import that was never released', async (t) => {
  const { modelsDir, first, second } = await aFolder(t);
  t.deepEqual(await rollBackModel(modelsDir), { from: second, to: first });
});

test('removing the imported model restores our own last release', async (t) => {
  const { modelsDir, second, imported, published } = await aFolder(t);
  await releaseModel(modelsDir, { bytes, card: aCard('2026-01-03') });
  await pinModel(modelsDir, imported);
  t.is(await removeImported(modelsDir), imported);
  t.deepEqual(await published(), [second, 'released', undefined]);
  t.false((await readdir(modelsDir)).includes(imported));
  await t.throwsAsync(removeImported(modelsDir), { instanceOf: ModelChangeRefusedError });
  await t.throwsAsync(removeImported(modelsDir, second), { message: /is not imported/ });
});

test('imports are kept when old releases are removed', async (t) => {
  const { modelsDir, imported } = await aFolder(t);
  for (const day of [3, 4, 5, 6, 7]) await releaseModelWith(modelsDir, day / 10, `2026-01-0${day}`);
  await pruneModels(modelsDir, { newest: 5, days: 0, weeks: 0 });
  const origins = (await listModels(modelsDir)).map(({ origin }) => origin);
  t.is(origins.filter((origin) => origin === 'released').length, 5);
  t.true((await readdir(modelsDir)).includes(imported));
});
