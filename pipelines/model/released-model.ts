import path from 'node:path';
import { MODEL_CONTRACT } from '../../models/features.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { ModelFile } from '../../warehouse/store/model.ts';
import { ModelWithdrawnError } from '../errors.ts';
import type { Retention } from '../../warehouse/ground/retention.ts';
import { readIfExists } from '../../warehouse/ground/files.ts';
import { BUNDLED, readChoice, writeChoice } from './choice.ts';
import {
  BUNDLED_DIR,
  inspectBytes,
  listModels,
  storeModel,
  MODEL_FILE,
  pruneModels,
  versionOf,
  type ModelCard,
  type ModelOrigin,
} from './model-folder.ts';

type FoundModel = ModelFile & {
  origin: ModelOrigin;
  trainedOn: ModelMetadata['trainedOn'];
};

/** The model to publish, or the reason why there is no model. */
export type ModelLookup = {
  model?: FoundModel;
  /** Why a pinned or released model does not fit this code. */
  refused?: string;
};

/**
 * Stores the model and its card under a version derived from the content, and makes this model the released one. The
 * next publish uses the released model, unless another model is pinned. Returns the version. Throws
 * `ModelWithdrawnError` if a rollback has withdrawn the model.
 */
export async function releaseModel(
  modelsDir: string,
  model: { bytes: Uint8Array; card: ModelCard },
  retention?: Retention,
): Promise<string> {
  const choice = await readChoice(modelsDir);
  const version = versionOf(model.bytes);
  if (choice.withdrawn.includes(version)) throw new ModelWithdrawnError(version);
  await storeModel(modelsDir, model);
  await writeChoice(modelsDir, { ...choice, released: version });
  await pruneModels(modelsDir, retention);
  return version;
}

/**
 * Finds the model for the next publish. Tries the pinned model, then the released model, then the bundled model, and
 * returns the first that fits this code.
 */
export async function findModel(modelsDir: string, bundledDir?: string): Promise<ModelLookup> {
  const { pinned, released } = await readChoice(modelsDir);
  const lookup = await firstFitting([pinned, released], modelsDir, bundledDir);
  if (lookup.model?.origin !== 'imported') return lookup;
  const fallback = await findFallback(modelsDir, bundledDir);
  return { ...lookup, model: { ...lookup.model, ...(fallback && { fallback }) } };
}

/** Finds the model to use when the imported model fails: the last of our own released models. */
async function findFallback(
  modelsDir: string,
  bundledDir: string | undefined,
): Promise<FoundModel | undefined> {
  const { released, withdrawn } = await readChoice(modelsDir);
  const own = (await listModels(modelsDir, bundledDir))
    .filter(({ origin, refused }) => origin === 'released' && refused === undefined)
    .map(({ version }) => version)
    .filter((version) => !withdrawn.includes(version));
  const names = [...own.filter((version) => version === released), ...own];
  return (await firstFitting(names, modelsDir, bundledDir)).model;
}

/**
 * Finds the model that the next training has to beat: the released or the bundled model, even if another model is
 * pinned.
 */
export async function findReleased(modelsDir: string, bundledDir?: string): Promise<ModelLookup> {
  const { released } = await readChoice(modelsDir);
  return firstFitting([released], modelsDir, bundledDir);
}

async function firstFitting(
  candidates: (string | undefined)[],
  modelsDir: string,
  bundledDir: string = BUNDLED_DIR,
): Promise<ModelLookup> {
  const refusals: string[] = [];
  const names = [...candidates.filter((name) => name !== undefined), BUNDLED];
  for (const name of new Set(names)) {
    const isBundled = name === BUNDLED;
    const folder = isBundled ? bundledDir : path.join(modelsDir, name);
    const bytes = await readIfExists(path.join(folder, MODEL_FILE));
    // A missing bundled model is no error.
    if (!bytes && isBundled) break;
    const inspection = inspectBytes(bytes, isBundled ? undefined : name);
    if (bytes && 'trainedOn' in inspection) {
      const { trainedOn, imported } = inspection;
      const storedOrigin = imported ? 'imported' : 'released';
      const origin = isBundled ? 'bundled' : storedOrigin;
      const model = { version: versionOf(bytes), bytes, contract: MODEL_CONTRACT.contract };
      return { model: { ...model, origin, trainedOn }, ...refusalField(refusals) };
    }
    if ('refusal' in inspection) refusals.push(`${name}: ${inspection.refusal}`);
  }
  return refusalField(refusals);
}

function refusalField(refusals: string[]): Pick<ModelLookup, 'refused'> {
  return refusals.length === 0 ? {} : { refused: refusals.join('; ') };
}
