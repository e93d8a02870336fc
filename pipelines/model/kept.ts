import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { ModelRefusedError } from '../../models/onnx/errors.ts';
import { inspectModel } from '../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import { namesIn, readIfThere, statIfThere, writeSynced } from '../../warehouse/ground/files.ts';
import { isTemporary, temporaryIn } from '../../warehouse/ground/into-place.ts';
import type { Verified } from '../../warehouse/lake/verify.ts';
import { readChoice } from './choice.ts';
import type { Verdict } from './release-verdict.ts';
import type { Trial } from './trial.ts';

/** The model that ships with the code; used until one is released here. */
export const BUNDLED_DIR = path.resolve(import.meta.dirname, '../../models/bundled');

export const MODEL_FILE = 'model.onnx';
const CARD_FILE = 'card.json';

/** Released models kept to go back to; one that is pinned or published next stays beyond them. */
const KEPT_MODELS = 5;

/** Characters of the model's sha256 that make its version. */
const VERSION_LENGTH = 12;
const VERSION_NAME = /^[0-9a-f]{12}$/;

/** What is kept beside a model: why it was released, and what its rehearsal showed. */
export type ModelCard = Verdict & {
  trial?: Trial;
  /** ISO; absent on the card of the bundled model. */
  releasedAt?: string;
};

/** A model on disk, whether or not it fits this code. */
export type KeptModel = {
  version: string;
  /** Bundled with the code, or released here. */
  origin: 'bundled' | 'released';
  card?: ModelCard;
  trainedOn?: ModelMetadata['trainedOn'];
  /** Its card cannot be read; the model is none the worse. */
  isCardDamaged?: true;
  /** Why it cannot be published. */
  refused?: string;
};

/** Version of a model of this content. */
export function versionOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, VERSION_LENGTH);
}

/** Writes a model and its card, each whole or not at all, and changes no choice; returns its version. */
export async function keepModel(
  modelsDir: string,
  { bytes, card }: { bytes: Uint8Array; card: ModelCard },
): Promise<string> {
  const version = versionOf(bytes);
  const folder = path.join(modelsDir, version);
  const staging = temporaryIn(modelsDir);
  await mkdir(staging, { recursive: true });
  await writeSynced(path.join(staging, CARD_FILE), `${JSON.stringify(card, null, 2)}\n`);
  if ((await readIfThere(path.join(folder, MODEL_FILE)))?.equals(bytes)) {
    await rename(path.join(staging, CARD_FILE), path.join(folder, CARD_FILE));
    await rm(staging, { recursive: true });
    return version;
  }
  await writeSynced(path.join(staging, MODEL_FILE), bytes);
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
  return version;
}

/** The models that can be published or gone back to: those kept, the newest release first, and the bundled one. */
export async function keptModels(
  modelsDir: string,
  bundledDir: string = BUNDLED_DIR,
): Promise<KeptModel[]> {
  const names = (await namesIn(modelsDir)).filter((name) => VERSION_NAME.test(name));
  const dated = await Promise.all(
    names.map(async (name) => {
      const folder = path.join(modelsDir, name);
      const model = await readKept(folder, 'released', name);
      const at = model.card?.releasedAt ?? (await statIfThere(folder))?.mtime.toISOString();
      // Pruning may remove it meanwhile.
      return at === undefined ? [] : [{ at, model }];
    }),
  );
  const newestFirst = dated
    .flat()
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map(({ model }) => model);
  const bundled = await readIfThere(path.join(bundledDir, MODEL_FILE));
  if (!bundled) return newestFirst;
  return [...newestFirst, await readKept(bundledDir, 'bundled', versionOf(bundled))];
}

/** Holds the released models against their names, which are of their content, and reads their cards. */
export async function verifyModels(modelsDir: string): Promise<Verified> {
  const released = (await keptModels(modelsDir)).filter(({ origin }) => origin === 'released');
  let bytes = 0;
  const damaged: string[] = [];
  for (const { version, isCardDamaged } of released) {
    const content = await readIfThere(path.join(modelsDir, version, MODEL_FILE));
    if (!content || versionOf(content) !== version) damaged.push(`${version}/${MODEL_FILE}`);
    if (isCardDamaged) damaged.push(`${version}/${CARD_FILE}`);
    bytes += content?.length ?? 0;
  }
  return { what: 'models', checked: released.length, bytes, damaged };
}

/** Removes releases older than the newest few, and what killed releases left behind. */
export async function pruneModels(modelsDir: string): Promise<void> {
  const { released, pinned } = await readChoice(modelsDir);
  const old = (await keptModels(modelsDir))
    .filter(({ origin }) => origin === 'released')
    .slice(KEPT_MODELS)
    .map(({ version }) => version)
    .filter((version) => version !== released && version !== pinned);
  const halves = (await namesIn(modelsDir)).filter(isTemporary);
  for (const name of [...old, ...halves]) {
    await rm(path.join(modelsDir, name), { recursive: true, force: true });
  }
}

/** What the bytes say of themselves, or why they are no model for this code, or not the one of that version. */
export function inspect(
  bytes: Uint8Array | undefined,
  version?: string,
): ModelMetadata | { refusal: string } {
  if (!bytes) return { refusal: `${MODEL_FILE} is missing` };
  try {
    const { metadata } = inspectModel(bytes, MODEL_CONTRACT);
    const isWhole = version === undefined || version === versionOf(bytes);
    return isWhole ? metadata : { refusal: `its content is that of ${versionOf(bytes)}` };
  } catch (error) {
    if (error instanceof ModelRefusedError) return { refusal: error.message };
    throw error;
  }
}

async function readKept(
  folder: string,
  origin: KeptModel['origin'],
  version: string,
): Promise<KeptModel> {
  const inspected = inspect(await readIfThere(path.join(folder, MODEL_FILE)), version);
  const card = await readIfThere(path.join(folder, CARD_FILE));
  return {
    version,
    origin,
    ...(card && readCard(card.toString())),
    ...('refusal' in inspected
      ? { refused: inspected.refusal }
      : { trainedOn: inspected.trainedOn }),
  };
}

function readCard(text: string): Pick<KeptModel, 'card' | 'isCardDamaged'> {
  try {
    return { card: JSON.parse(text) as ModelCard };
  } catch {
    return { isCardDamaged: true };
  }
}
