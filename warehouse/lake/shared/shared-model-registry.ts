import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readIfExists } from '../../ground/files.ts';
import { fileSha256 } from '../../ground/hashes.ts';
import type { ExpectedContent, Objects } from '../../objects/objects.ts';
import { LakeContendedError, NoPointersError } from './errors.ts';
import type { LakeHome } from './lake-home.ts';
import type { Pointers } from './pointers.ts';
import { HOME_FILE, markCopy } from './shared-lake.ts';
import { buildIsExpired, retryUntilMoved } from './retry-until-moved.ts';
import { CURRENT_MODEL_FILE } from '../../ground/current-model-file.ts';
import { listFilesBelow } from '../backup-files.ts';

/** The model registry: the folder of models, and the record of released, pinned and withdrawn models. */
export type ModelRegistry = {
  /** Syncs the shared models into the local folder. */
  refresh: () => Promise<void>;
  /**
   * Runs `work` on the folder while holding its lock, and publishes the result. If another machine published first,
   * downloads that machine's result and runs `work` again.
   */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** Replaces the shared models with the models of the local folder. */
  replace: () => Promise<void>;
  /** Removes old objects that no pointer names, and returns their number. */
  tidy: () => Promise<number>;
};

export type SharedModelRegistryOptions = {
  /** The local model folder. */
  folder: string;
  objects: Objects;
  pointers: Pointers;
  /** Runs `work` while holding the local lock of the folder. */
  lock: <T>(work: () => Promise<T>) => Promise<T>;
  now: () => Date;
};

/** The files of the folder by path. They are always replaced together. */
type Files = Record<string, ExpectedContent>;

const UNIT = 'shelf';
const FILES = 'files/';
const PRINT_LENGTH = 16;

/** Creates a model registry that several machines share. The local folder is a copy of the shared models. */
export function sharedModelRegistry(options: SharedModelRegistryOptions): ModelRegistry {
  const { folder, objects, pointers, lock, now } = options;
  const publish = async (sharedState: string, files: Files) => {
    await pointers.begin([FILES]);
    const sharedFiles = parseFiles(sharedState);
    for (const [name, file] of Object.entries(files)) {
      if (sharedFiles[name]?.sha256 === file.sha256) continue;
      await objects.put(objectOf(name, file), await readFile(path.join(folder, name)));
    }
    return pointers.move(UNIT, sharedState, formatFiles(files));
  };
  /** Updates the folder to the shared state, and returns this state as text. The caller must hold the lock. */
  const sync = async (): Promise<string> => {
    const local = await readFiles(folder);
    const isCopy = (await readIfExists(path.join(folder, HOME_FILE)))?.toString() === objects.place;
    const hasPointers = await pointers.hasPointers();
    if (!hasPointers && isCopy && formatFiles(local) !== '') {
      throw new NoPointersError(objects.place, `the copy ${folder} has models`);
    }
    const sharedState = hasPointers ? ((await pointers.readAll()).units[UNIT] ?? '') : '';
    if (sharedState === formatFiles(local)) {
      // A folder without the mark would upload its models at the next sync, even models that other machines have
      // removed.
      if (!isCopy) await markCopy(folder, objects.place);
      return sharedState;
    }
    if (!isCopy) {
      const merged = mergeFiles(parseFiles(sharedState), local);
      if (!(await publish(sharedState, merged))) throw new LakeContendedError('models');
      await downloadFiles(options, merged);
      await markCopy(folder, objects.place);
      return formatFiles(merged);
    }
    await downloadFiles(options, parseFiles(sharedState));
    return sharedState;
  };
  return {
    refresh: async () => {
      await lock(sync);
    },
    withLock: (work) =>
      retryUntilMoved('models', () =>
        lock(async () => {
          const before = await sync();
          const result = await work();
          return (await publish(before, await readFiles(folder))) ? { result } : undefined;
        }),
      ),
    replace: () =>
      lock(async () => {
        // Creates pointers even if the storage has objects, because the models of the folder replace these objects.
        await pointers.begin([]);
        const isPublished = await publish(await pointers.readState(UNIT), await readFiles(folder));
        if (!isPublished) throw new LakeContendedError('models');
        await markCopy(folder, objects.place);
      }),
    tidy: async () => {
      const isExpired = buildIsExpired(now());
      const current = await pointers.reconcile(isExpired);
      if (!current) return 0;
      const files = parseFiles(current.units[UNIT] ?? '');
      const named = new Set(Object.entries(files).map(([name, file]) => objectOf(name, file)));
      const unnamed = (await objects.list(FILES)).filter(
        ({ name, at }) => !named.has(name) && isExpired(at),
      );
      for (const { name } of unnamed) await objects.remove(name);
      return unnamed.length;
    },
  };
}

/** Combines a shared lake and a model registry into one home. */
export function withModelRegistry(
  lake: Omit<LakeHome, 'withModelLock'>,
  registry: ModelRegistry,
): LakeHome {
  return {
    ...lake,
    refresh: async () => {
      await lake.refresh();
      await registry.refresh();
    },
    withModelLock: registry.withLock,
    tidy: async () => (await lake.tidy()) + (await registry.tidy()),
  };
}

/** Returns the name of the object for a file. The name contains the hash of the content, so an object never changes. */
function objectOf(name: string, { sha256: print }: ExpectedContent): string {
  return `${FILES}${name}/${print.slice(0, PRINT_LENGTH)}`;
}

/** Merges the models of a new machine into the shared models. The shared models keep their current model. */
function mergeFiles(shared: Files, local: Files): Files {
  const { [CURRENT_MODEL_FILE]: choice, ...models } = local;
  const isFirst = Object.keys(shared).length === 0;
  return { ...models, ...shared, ...(isFirst && choice && { [CURRENT_MODEL_FILE]: choice }) };
}

async function downloadFiles(
  { folder, objects }: SharedModelRegistryOptions,
  files: Files,
): Promise<void> {
  const local = await readFiles(folder);
  const names = Object.keys(files).toSorted(
    (a, b) => Number(a === CURRENT_MODEL_FILE) - Number(b === CURRENT_MODEL_FILE),
  );
  for (const name of names) {
    const file = files[name];
    if (!file || local[name]?.sha256 === file.sha256) continue;
    await objects.get(objectOf(name, file), path.join(folder, name), file);
  }
  for (const name of Object.keys(local)) {
    if (files[name]) continue;
    const [model = ''] = name.split(path.sep);
    const isModelRemoved = !Object.keys(files).some((sharedName) =>
      sharedName.startsWith(`${model}${path.sep}`),
    );
    await rm(path.join(folder, isModelRemoved ? model : name), { recursive: true, force: true });
  }
}

/** Reads the size and hash of every file in the folder. */
async function readFiles(folder: string): Promise<Files> {
  const files: Files = {};
  for (const name of await listFilesBelow(folder)) {
    const file = path.join(folder, name);
    files[name] = { bytes: (await stat(file)).size, sha256: await fileSha256(file) };
  }
  return files;
}

/** Formats the files as text for the pointer; empty if there are no files. */
function formatFiles(files: Files): string {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(Object.fromEntries(sorted));
}

function parseFiles(text: string): Files {
  return text === '' ? {} : (JSON.parse(text) as Files);
}
