import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { ModelRefusedError } from '../../models/onnx/errors.ts';
import { inspectModel } from '../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { ModelFile } from '../../warehouse/store/model.ts';

/** The model that ships with the code; used until one is released here. */
const BUNDLED_DIR = path.resolve(import.meta.dirname, '../../models/bundled');
const BUNDLED = 'bundled';

/** Names the released version, in a models folder; written last. */
const POINTER = 'current';
const MODEL_FILE = 'model.onnx';
const CARD_FILE = 'card.json';

/** Characters of the model's sha256 that make its version. */
const VERSION_LENGTH = 12;

/** The model to publish, or why there is none. */
export type FoundModel = {
  model?: ModelFile & {
    /** Bundled with the code, or released here. */
    origin: 'bundled' | 'released';
    trainedOn: ModelMetadata['trainedOn'];
  };
  /** Of the released model that does not fit this code: why. */
  refused?: string;
};

/**
 * Keeps the model and its card under a version of their own, which the model's content gives, and makes it the released
 * one: the next publish takes it. Returns the version.
 */
export async function releaseModel(
  modelsDir: string,
  { bytes, card }: { bytes: Uint8Array; card: object },
): Promise<string> {
  const version = versionOf(bytes);
  const folder = path.join(modelsDir, version);
  const staging = path.join(modelsDir, `.tmp-${version}-${process.pid}`);
  await mkdir(staging, { recursive: true });
  await writeSynced(path.join(staging, MODEL_FILE), bytes);
  await writeSynced(path.join(staging, CARD_FILE), `${JSON.stringify(card, null, 2)}\n`);
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
  const pointer = path.join(modelsDir, `.tmp-${POINTER}-${process.pid}`);
  await writeSynced(pointer, version);
  await rename(pointer, path.join(modelsDir, POINTER));
  return version;
}

/** The released model, or the bundled one where none is released or it does not fit this code. */
export async function findModel(
  modelsDir: string,
  bundledDir: string = BUNDLED_DIR,
): Promise<FoundModel> {
  const released = (await readIfThere(path.join(modelsDir, POINTER)))?.toString();
  const places = [
    ...(released === undefined ? [] : [{ name: released, folder: path.join(modelsDir, released) }]),
    { name: BUNDLED, folder: bundledDir },
  ];
  const refusals: string[] = [];
  for (const { name, folder } of places) {
    const bytes = await readIfThere(path.join(folder, MODEL_FILE));
    const inspected = bytes && inspect(bytes);
    if (inspected && 'trainedOn' in inspected) {
      const origin = name === BUNDLED ? 'bundled' : 'released';
      const { trainedOn } = inspected;
      const model = { version: versionOf(bytes), bytes, contract: MODEL_CONTRACT.contract };
      return { model: { ...model, origin, trainedOn }, ...refusedOf(refusals) };
    }
    const refusal = inspected ? inspected.refusal : missingText(name);
    if (refusal !== undefined) refusals.push(`${name}: ${refusal}`);
  }
  return refusedOf(refusals);
}

function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, VERSION_LENGTH);
}

/** What the bytes say of themselves, or why they are no model for this code. */
function inspect(bytes: Uint8Array): ModelMetadata | { refusal: string } {
  try {
    return inspectModel(bytes, MODEL_CONTRACT);
  } catch (error) {
    if (error instanceof ModelRefusedError) return { refusal: error.message };
    throw error;
  }
}

/** That no model is bundled is nothing to report. */
function missingText(name: string): string | undefined {
  return name === BUNDLED ? undefined : `${MODEL_FILE} is missing`;
}

function refusedOf(refusals: string[]): Pick<FoundModel, 'refused'> {
  return refusals.length === 0 ? {} : { refused: refusals.join('; ') };
}

async function writeSynced(file: string, content: Uint8Array | string): Promise<void> {
  await using handle = await open(file, 'w');
  await handle.writeFile(content);
  await handle.sync();
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Of a folder that a file stands in place of, nothing can be there either.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
