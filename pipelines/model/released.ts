import path from 'node:path';
import { MODEL_CONTRACT } from '../../models/features.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { ModelFile } from '../../warehouse/store/model.ts';
import { ModelWithdrawnError } from '../errors.ts';
import { readIfThere } from '../../warehouse/ground/files.ts';
import { BUNDLED, readChoice, writeChoice } from './choice.ts';
import {
  BUNDLED_DIR,
  inspect,
  keepModel,
  MODEL_FILE,
  pruneModels,
  versionOf,
  type KeptModel,
  type ModelCard,
} from './kept.ts';

/** The model to publish, or why there is none. */
export type FoundModel = {
  model?: ModelFile & Pick<KeptModel, 'origin'> & { trainedOn: ModelMetadata['trainedOn'] };
  /** Of a pinned or released model that does not fit this code: why. */
  refused?: string;
};

/**
 * Keeps the model and its card under a version of their own, which the model's content gives, and makes it the released
 * one: the next publish takes it, unless another is pinned. Returns the version. Throws `ModelWithdrawnError` of one
 * that was rolled back from.
 */
export async function releaseModel(
  modelsDir: string,
  model: { bytes: Uint8Array; card: ModelCard },
): Promise<string> {
  const choice = await readChoice(modelsDir);
  const version = versionOf(model.bytes);
  if (choice.withdrawn.includes(version)) throw new ModelWithdrawnError(version);
  await keepModel(modelsDir, model);
  await writeChoice(modelsDir, { ...choice, released: version });
  await pruneModels(modelsDir);
  return version;
}

/** The model the next publish takes: the pinned one, else the released, else the bundled; the first that fits this code. */
export async function findModel(modelsDir: string, bundledDir?: string): Promise<FoundModel> {
  const { pinned, released } = await readChoice(modelsDir);
  return firstFitting([pinned, released], modelsDir, bundledDir);
}

/** The same, whatever is pinned: the one that the next training has to beat. */
export async function findReleased(modelsDir: string, bundledDir?: string): Promise<FoundModel> {
  const { released } = await readChoice(modelsDir);
  return firstFitting([released], modelsDir, bundledDir);
}

async function firstFitting(
  wanted: (string | undefined)[],
  modelsDir: string,
  bundledDir: string = BUNDLED_DIR,
): Promise<FoundModel> {
  const refusals: string[] = [];
  const names = [...wanted.filter((name) => name !== undefined), BUNDLED];
  for (const name of new Set(names)) {
    const isBundled = name === BUNDLED;
    const folder = isBundled ? bundledDir : path.join(modelsDir, name);
    const bytes = await readIfThere(path.join(folder, MODEL_FILE));
    // That no model is bundled is nothing to report.
    if (!bytes && isBundled) break;
    const inspected = inspect(bytes, isBundled ? undefined : name);
    if (bytes && 'trainedOn' in inspected) {
      const origin: KeptModel['origin'] = isBundled ? 'bundled' : 'released';
      const { trainedOn } = inspected;
      const model = { version: versionOf(bytes), bytes, contract: MODEL_CONTRACT.contract };
      return { model: { ...model, origin, trainedOn }, ...refusedOf(refusals) };
    }
    if ('refusal' in inspected) refusals.push(`${name}: ${inspected.refusal}`);
  }
  return refusedOf(refusals);
}

function refusedOf(refusals: string[]): Pick<FoundModel, 'refused'> {
  return refusals.length === 0 ? {} : { refused: refusals.join('; ') };
}
