import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { featureContract } from '../../../models/features.ts';
import { ModelWithdrawnError } from '../../../pipelines/errors.ts';
import { writeChoice } from '../../../pipelines/model/choice.ts';
import { listModels, pruneModels } from '../../../pipelines/model/model-folder.ts';
import { findModel, findReleased, releaseModel } from '../../../pipelines/model/released-model.ts';
import { someMetadata, someModel } from '../../models/helpers/model.ts';
import { aCard, modelFolders, releaseModelWith } from './helpers/models.ts';

test('without a released or bundled model there is no model and no refusal', async (t) => {
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

test('the model released last is used, and releasing it again changes nothing', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const first = await releaseModelWith(modelsDir, 0.2);
  const second = await releaseModelWith(modelsDir, 0.4);
  t.is(await releaseModelWith(modelsDir, 0.4), second);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, second);
  t.deepEqual((await readdir(modelsDir)).toSorted(), [first, second, 'current'].toSorted());
});

test('the bundled model is used until one is released', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  await writeFile(path.join(bundledDir, 'model.onnx'), someModel({ probability: 0.3 }));
  const bundled = await findModel(modelsDir, bundledDir);
  t.is(bundled.refused, undefined);
  t.is(bundled.model?.origin, 'bundled');
  const version = await releaseModelWith(modelsDir, 0.4);
  t.not(bundled.model?.version, version);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('a released model that is truncated, for other features or missing is replaced by the bundled one', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const bundled = someModel({ probability: 0.3 });
  await writeFile(path.join(bundledDir, 'model.onnx'), bundled);
  const refusalOf = async (bytes: Uint8Array) => {
    const version = await releaseModel(modelsDir, { bytes, card: aCard() });
    const lookup = await findModel(modelsDir, bundledDir);
    t.true(Buffer.from(bundled).equals(lookup.model?.bytes ?? Buffer.of()));
    t.true(lookup.refused?.startsWith(`${version}: `));
    return lookup.refused ?? '';
  };
  t.regex(await refusalOf(someModel().subarray(0, 200)), /not a complete ONNX file/);
  const metadata = someMetadata({ contract: 'other' });
  t.regex(await refusalOf(someModel({ metadata })), /trained for contract other/);
  const version = await releaseModelWith(modelsDir, 0.4);
  await rm(path.join(modelsDir, version, 'model.onnx'));
  t.is((await findModel(modelsDir, bundledDir)).refused, `${version}: model.onnx is missing`);
});

test('a model whose content does not match its version is refused', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseModelWith(modelsDir, 0.4);
  await writeFile(path.join(modelsDir, version, 'model.onnx'), someModel({ probability: 0.2 }));
  const { model, refused } = await findModel(modelsDir, bundledDir);
  t.is(model, undefined);
  t.regex(refused ?? '', new RegExp(`^${version}: its content belongs to version [0-9a-f]{12}$`));
});

test('releasing a model again repairs a damaged copy', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseModelWith(modelsDir, 0.4);
  await writeFile(path.join(modelsDir, version, 'model.onnx'), 'damaged');
  t.is((await findModel(modelsDir, bundledDir)).model, undefined);
  await releaseModelWith(modelsDir, 0.4);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('the pinned model is published, and the next training has to beat the released one', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const pinned = await releaseModelWith(modelsDir, 0.2);
  await writeChoice(modelsDir, { released: pinned, pinned, withdrawn: [] });
  const released = await releaseModelWith(modelsDir, 0.4);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, pinned);
  t.is((await findReleased(modelsDir, bundledDir)).model?.version, released);
});

test('a withdrawn model is not released again, and the choice stays', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const withdrawn = await releaseModelWith(modelsDir, 0.2);
  const released = await releaseModelWith(modelsDir, 0.4);
  await writeChoice(modelsDir, { released, withdrawn: [withdrawn] });
  const error = await t.throwsAsync(releaseModelWith(modelsDir, 0.2), {
    instanceOf: ModelWithdrawnError,
  });
  t.regex(error?.message ?? '', new RegExp(`make model-rollback VERSION=${withdrawn}$`));
  t.is((await findModel(modelsDir, bundledDir)).model?.version, released);
});

test('the retention decides which releases are kept, and the pinned or released model stays', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const pinned = await releaseModelWith(modelsDir, 0.1, '2026-01-01');
  await writeChoice(modelsDir, { released: pinned, pinned, withdrawn: [] });
  const versions: string[] = [];
  for (let day = 2; day <= 8; day++) {
    versions.push(await releaseModelWith(modelsDir, day / 100, `2026-01-0${day}`));
  }
  await pruneModels(modelsDir, { newest: 5, days: 0, weeks: 0 });
  const versionsInFolder = (await listModels(modelsDir, bundledDir)).map(({ version }) => version);
  t.deepEqual(versionsInFolder, [...versions.slice(-5).toReversed(), pinned]);
});

/** Leftovers of other machines are removed after a day. */
const TWO_DAYS_AGO = new Date(Date.now() - 2 * 86_400_000);
const [FOLDER_LEFTOVER, FILE_LEFTOVER] = [
  '.0123456789ab-77-00000000-0000-4000-8000-000000000000.tmp',
  '.0123456789ab-77-00000000-0000-4000-8000-000000000001.tmp',
];

test('leftovers of interrupted releases are removed with the next release, and the released model stays valid', async (t) => {
  const { modelsDir, bundledDir } = await modelFolders(t);
  const version = await releaseModelWith(modelsDir, 0.2);
  // A release was interrupted after it wrote the card and before it wrote the model.
  await mkdir(path.join(modelsDir, FOLDER_LEFTOVER));
  await writeFile(path.join(modelsDir, FOLDER_LEFTOVER, 'card.json'), '{}');
  // Interrupted before the choice was written.
  await writeFile(path.join(modelsDir, FILE_LEFTOVER), '{"rel');
  for (const name of [FOLDER_LEFTOVER, FILE_LEFTOVER]) {
    await utimes(path.join(modelsDir, name), TWO_DAYS_AGO, TWO_DAYS_AGO);
  }
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
  const next = await releaseModelWith(modelsDir, 0.4);
  t.deepEqual((await readdir(modelsDir)).toSorted(), [version, next, 'current'].toSorted());
});
