import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { featureContract } from '../../../models/features.ts';
import { findModel, releaseModel } from '../../../pipelines/model/released.ts';
import { someMetadata, someModel } from '../../models/helpers/model.ts';

async function folders(t: ExecutionContext) {
  const root = await mkdtemp(path.join(tmpdir(), 'headwind-models-'));
  t.teardown(() => rm(root, { recursive: true }));
  const bundledDir = path.join(root, 'bundled');
  await mkdir(bundledDir);
  return { modelsDir: path.join(root, 'models'), bundledDir };
}

const card = { metrics: { auc: 0.66 } };

test('without a released or bundled model there is none, and nothing was refused', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  t.deepEqual(await findModel(modelsDir, bundledDir), {});
});

test('a released model is found under the version of its content, with its card beside it', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  const bytes = someModel();
  const version = await releaseModel(modelsDir, { bytes, card });
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
  t.deepEqual(JSON.parse(text), card);
});

test('the model released last counts, and releasing it again changes nothing', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  const first = await releaseModel(modelsDir, { bytes: someModel({ probability: 0.2 }), card });
  const second = await releaseModel(modelsDir, { bytes: someModel(), card });
  t.is(await releaseModel(modelsDir, { bytes: someModel(), card }), second);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, second);
  t.deepEqual((await readdir(modelsDir)).toSorted(), [first, second, 'current'].toSorted());
});

test('the bundled model serves until one is released', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  await writeFile(path.join(bundledDir, 'model.onnx'), someModel({ probability: 0.3 }));
  const bundled = await findModel(modelsDir, bundledDir);
  t.is(bundled.refused, undefined);
  t.is(bundled.model?.origin, 'bundled');
  const version = await releaseModel(modelsDir, { bytes: someModel(), card });
  t.not(bundled.model?.version, version);
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});

test('a released model that is cut short, for other features, or gone gives way to the bundled one', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  const bundled = someModel({ probability: 0.3 });
  await writeFile(path.join(bundledDir, 'model.onnx'), bundled);
  const refusedOf = async (bytes: Uint8Array) => {
    const version = await releaseModel(modelsDir, { bytes, card });
    const found = await findModel(modelsDir, bundledDir);
    t.deepEqual(found.model?.bytes, Buffer.from(bundled));
    t.true(found.refused?.startsWith(`${version}: `));
    return found.refused ?? '';
  };
  t.regex(await refusedOf(someModel().subarray(0, 200)), /not a whole ONNX file/);
  const metadata = someMetadata({ contract: 'other' });
  t.regex(await refusedOf(someModel({ metadata })), /trained for contract other/);
  const version = await releaseModel(modelsDir, { bytes: someModel(), card });
  await rm(path.join(modelsDir, version, 'model.onnx'));
  t.is((await findModel(modelsDir, bundledDir)).refused, `${version}: model.onnx is missing`);
});

test('releasing again mends a damaged copy', async (t) => {
  const { modelsDir, bundledDir } = await folders(t);
  const version = await releaseModel(modelsDir, { bytes: someModel(), card });
  await writeFile(path.join(modelsDir, version, 'model.onnx'), 'damaged');
  t.is((await findModel(modelsDir, bundledDir)).model, undefined);
  await releaseModel(modelsDir, { bytes: someModel(), card });
  t.is((await findModel(modelsDir, bundledDir)).model?.version, version);
});
