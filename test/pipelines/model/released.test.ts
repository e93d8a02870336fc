import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { featureContract } from '../../../models/features.ts';
import { ModelWithdrawnError } from '../../../pipelines/errors.ts';
import { writeChoice } from '../../../pipelines/model/choice.ts';
import { keptModels } from '../../../pipelines/model/kept.ts';
import { findModel, findReleased, releaseModel } from '../../../pipelines/model/released.ts';
import { someMetadata, someModel } from '../../models/helpers/model.ts';
import { aCard, modelFolders, releaseOf } from './helpers/models.ts';

test('without a released or bundled model there is none, and nothing was refused', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  t.deepEqual(await findModel(modelsDir, bundledDir), {});
});

test('a released model is found under the version of its content, with its card beside it', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const bytes = someModel();
  const version = await releaseModel(modelsDir, { bytes, card: aCard() });
  t.regex(version, /^[0-9a-f]{12}$/);
  t.deepEqual(await findModel(modelsDir, bundledDir), {
    model: {
      version,
      bytes: Buffer.from(bytes),
      contract: featureContract(),
      origin: 'released',
      trainedOn: someMetadata().trainedOn,
    },
  });
  const text = await readFile(path.join(modelsDir, version, 'card.json'), 'utf8');
  t.deepEqual(JSON.parse(text), aCard());
});

test('the model released last counts, and releasing it again changes nothing', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const first = await releaseOf(modelsDir, 0.2);
  const second = await releaseOf(modelsDir, 0.4);
  t.is(await releaseOf(modelsDir, 0.4), second);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, second);
  t.deepEqual((await readdir(modelsDir)).toSorted(), [first, second, 'current'].toSorted());
});

test('a models folder of earlier code, whose pointer is a version alone, is understood', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseOf(modelsDir, 0.2);
  await writeFile(path.join(modelsDir, 'current'), version);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('the bundled model serves until one is released', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  await writeFile(path.join(bundledDir, 'model.onnx'), someModel({ probability: 0.3 }));
  const bundled = await findModel(modelsDir, bundledDir);
  t.is(bundled.refused, undefined);
  t.is(bundled.model?.origin, 'bundled');
  const version = await releaseOf(modelsDir, 0.4);
  t.not(bundled.model?.version, version);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('a released model that is cut short, for other features, or gone gives way to the bundled one', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const bundled = someModel({ probability: 0.3 });
  await writeFile(path.join(bundledDir, 'model.onnx'), bundled);
  const refusedOf = async (bytes: Uint8Array) => {
    const version = await releaseModel(modelsDir, { bytes, card: aCard() });
    const found = await findModel(modelsDir, bundledDir);
    t.true(Buffer.from(bundled).equals(found.model?.bytes ?? Buffer.of()));
    t.true(found.refused?.startsWith(`${version}: `));
    return found.refused ?? '';
  };
  t.regex(await refusedOf(someModel().subarray(0, 200)), /not a whole ONNX file/);
  const metadata = someMetadata({ contract: 'other' });
  t.regex(await refusedOf(someModel({ metadata })), /trained for contract other/);
  const version = await releaseOf(modelsDir, 0.4);
  await rm(path.join(modelsDir, version, 'model.onnx'));
  t.is((await findModel(modelsDir, bundledDir)).refused, `${version}: model.onnx is missing`);
});

test('a model that is another one than its version says is not taken', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseOf(modelsDir, 0.4);
  await writeFile(path.join(modelsDir, version, 'model.onnx'), someModel({ probability: 0.2 }));
  const { model, refused } = await findModel(modelsDir, bundledDir);
  t.is(model, undefined);
  t.regex(refused ?? '', new RegExp(`^${version}: its content is that of [0-9a-f]{12}$`));
});

test('releasing again mends a damaged copy', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseOf(modelsDir, 0.4);
  await writeFile(path.join(modelsDir, version, 'model.onnx'), 'damaged');
  t.is((await findModel(modelsDir, bundledDir)).model, undefined);
  await releaseOf(modelsDir, 0.4);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('a pinned model is published, and the released one is what the next training has to beat', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const pinned = await releaseOf(modelsDir, 0.2);
  await writeChoice(modelsDir, { released: pinned, pinned, withdrawn: [] });
  const released = await releaseOf(modelsDir, 0.4);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, pinned);
  t.is((await findReleased(modelsDir, bundledDir)).model?.version, released);
});

test('a withdrawn model is not released again, and the choice stays', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const withdrawn = await releaseOf(modelsDir, 0.2);
  const released = await releaseOf(modelsDir, 0.4);
  await writeChoice(modelsDir, { released, withdrawn: [withdrawn] });
  const error = await t.throwsAsync(releaseOf(modelsDir, 0.2), { instanceOf: ModelWithdrawnError });
  t.regex(error?.message ?? '', new RegExp(`make model-rollback VERSION=${withdrawn} brings`));
  t.is((await findModel(modelsDir, bundledDir)).model?.version, released);
});

test('the five newest releases are kept, and those published next beyond them', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const pinned = await releaseOf(modelsDir, 0.1, '2026-01-01');
  await writeChoice(modelsDir, { released: pinned, pinned, withdrawn: [] });
  const versions: string[] = [];
  for (let day = 2; day <= 8; day++) {
    versions.push(await releaseOf(modelsDir, day / 100, `2026-01-0${day}`));
  }
  const kept = (await keptModels(modelsDir, bundledDir)).map(({ version }) => version);
  t.deepEqual(kept, [...versions.slice(-5).toReversed(), pinned]);
});

test('what a killed release left half-written goes with the next one, and the released one stays valid', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseOf(modelsDir, 0.2);
  // Killed between its files: the card is there and the model is not.
  await mkdir(path.join(modelsDir, '.tmp-0123456789ab-77'));
  await writeFile(path.join(modelsDir, '.tmp-0123456789ab-77', 'card.json'), '{}');
  // Killed before the pointer moved: a whole model that nothing names.
  await writeFile(path.join(modelsDir, '.tmp-current-77'), '{"rel');
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
  const next = await releaseOf(modelsDir, 0.4);
  t.deepEqual((await readdir(modelsDir)).toSorted(), [version, next, 'current'].toSorted());
});
