import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_RETENTION, retained, type Retention } from '../../warehouse/ground/retention.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { ModelRefusedError } from '../../models/onnx/errors.ts';
import { inspectModel } from '../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import {
  listNames,
  readIfExists,
  statIfExists,
  writeSynced,
} from '../../warehouse/ground/files.ts';
import { removeLeftovers, withTemporary } from '../../warehouse/ground/temporary.ts';
import type { VerifyResult } from '../../warehouse/lake/verify.ts';
import { readChoice } from './choice.ts';
import type { Verdict } from './release-verdict.ts';
import type { Trial } from './trial.ts';

/** The model that ships with the code; used until a model is released here. */
export const BUNDLED_DIR = path.resolve(import.meta.dirname, '../../models/bundled');

export const MODEL_FILE = 'model.onnx';
const CARD_FILE = 'card.json';

/** Number of characters of a version, which is the beginning of the model's sha256. */
const VERSION_LENGTH = 12;
const VERSION_NAME = /^[0-9a-f]{12}$/;

/** Stored beside a model: why the model was released, and the result of its rehearsal. */
export type ModelCard = Verdict & {
  trial?: Trial;
  /**
   * Time of the release (ISO). Absent on the card of the bundled model, and of an imported model that was not released.
   */
  releasedAt?: string;
};

/** Bundled with the code, trained here, or trained elsewhere and imported. */
export type ModelOrigin = 'bundled' | 'released' | 'imported';

/** A model on disk. It may or may not fit this code. */
export type StoredModel = {
  version: string;
  origin: ModelOrigin;
  card?: ModelCard;
  trainedOn?: ModelMetadata['trainedOn'];
  /** The card cannot be read; the model itself can still be used. */
  isCardDamaged?: true;
  /** Why the model cannot be published. */
  refused?: string;
};

/** The version of a model with this content. */
export function versionOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, VERSION_LENGTH);
}

/** Writes a model and its card, each atomically, without changing the choice; returns the version. */
export async function storeModel(
  modelsDir: string,
  { bytes, card }: { bytes: Uint8Array; card: ModelCard },
): Promise<string> {
  const version = versionOf(bytes);
  const folder = path.join(modelsDir, version);
  await withTemporary(modelsDir, async (staging) => {
    await mkdir(staging, { recursive: true });
    await writeSynced(path.join(staging, CARD_FILE), `${JSON.stringify(card, null, 2)}\n`);
    if ((await readIfExists(path.join(folder, MODEL_FILE)))?.equals(bytes)) {
      await rename(path.join(staging, CARD_FILE), path.join(folder, CARD_FILE));
      return;
    }
    await writeSynced(path.join(staging, MODEL_FILE), bytes);
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
  });
  return version;
}

/**
 * Lists the models that can be published or rolled back to: the stored models, newest release first, then the bundled
 * model.
 */
export async function listModels(
  modelsDir: string,
  bundledDir: string = BUNDLED_DIR,
): Promise<StoredModel[]> {
  const newestFirst = (await datedModels(modelsDir)).map(({ model }) => model);
  const bundled = await readIfExists(path.join(bundledDir, MODEL_FILE));
  if (!bundled) return newestFirst;
  return [...newestFirst, await readStoredModel(bundledDir, 'bundled', versionOf(bundled))];
}

/** Lists the stored models with the times of their releases (ISO), newest first. */
async function datedModels(modelsDir: string): Promise<{ at: string; model: StoredModel }[]> {
  const names = (await listNames(modelsDir)).filter((name) => VERSION_NAME.test(name));
  const models = await Promise.all(
    names.map(async (name) => {
      const folder = path.join(modelsDir, name);
      const model = await readStoredModel(folder, 'released', name);
      const at = model.card?.releasedAt ?? (await statIfExists(folder))?.mtime.toISOString();
      // Skips a model that another process has removed in the meantime.
      return at === undefined ? [] : [{ at, model }];
    }),
  );
  return models.flat().toSorted((a, b) => b.at.localeCompare(a.at));
}

/**
 * Checks each stored model: its name is derived from its content, so the name must match the content. Also reads the
 * cards.
 */
export async function verifyModels(modelsDir: string): Promise<VerifyResult> {
  const stored = (await listModels(modelsDir)).filter(({ origin }) => origin !== 'bundled');
  let bytes = 0;
  const damagedFiles: string[] = [];
  for (const { version, isCardDamaged } of stored) {
    const content = await readIfExists(path.join(modelsDir, version, MODEL_FILE));
    if (!content || versionOf(content) !== version) damagedFiles.push(`${version}/${MODEL_FILE}`);
    if (isCardDamaged) damagedFiles.push(`${version}/${CARD_FILE}`);
    bytes += content?.length ?? 0;
  }
  return { what: 'models', checked: stored.length, bytes, damaged: damagedFiles };
}

/**
 * Removes the releases that the retention does not keep, and the leftovers of interrupted releases. Never removes
 * imported models, the pinned model or the released model.
 */
export async function pruneModels(
  modelsDir: string,
  retention: Retention = DEFAULT_RETENTION,
): Promise<void> {
  const { released, pinned } = await readChoice(modelsDir);
  const models = (await datedModels(modelsDir)).filter(({ model }) => model.origin === 'released');
  const kept = retained(models, ({ at }) => Date.parse(at), retention);
  const oldVersions = models
    .filter((model) => !kept.includes(model))
    .map(({ model: { version } }) => version)
    .filter((version) => version !== released && version !== pinned);
  for (const name of oldVersions) await removeModel(modelsDir, name);
  await removeLeftovers(modelsDir);
}

/** Removes a stored model. */
export async function removeModel(modelsDir: string, version: string): Promise<void> {
  await rm(path.join(modelsDir, version), { recursive: true, force: true });
}

/**
 * Reads the metadata of a model. `refusal` is the reason if the model does not fit this code or its content does not
 * match its version.
 */
export function inspectBytes(
  bytes: Uint8Array | undefined,
  version?: string,
): ModelMetadata | { refusal: string } {
  if (!bytes) return { refusal: `${MODEL_FILE} is missing` };
  try {
    const { metadata } = inspectModel(bytes, MODEL_CONTRACT);
    const isWhole = version === undefined || version === versionOf(bytes);
    return isWhole ? metadata : { refusal: `its content belongs to version ${versionOf(bytes)}` };
  } catch (error) {
    if (error instanceof ModelRefusedError) return { refusal: error.message };
    throw error;
  }
}

async function readStoredModel(
  folder: string,
  origin: StoredModel['origin'],
  version: string,
): Promise<StoredModel> {
  const inspection = inspectBytes(await readIfExists(path.join(folder, MODEL_FILE)), version);
  const card = await readIfExists(path.join(folder, CARD_FILE));
  return {
    version,
    origin,
    ...(card && readCard(card.toString())),
    ...('refusal' in inspection
      ? { refused: inspection.refusal }
      : { trainedOn: inspection.trainedOn, ...(inspection.imported && { origin: 'imported' }) }),
  };
}

function readCard(text: string): Pick<StoredModel, 'card' | 'isCardDamaged'> {
  try {
    return { card: JSON.parse(text) as ModelCard };
  } catch {
    return { isCardDamaged: true };
  }
}
