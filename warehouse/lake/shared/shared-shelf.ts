import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere } from '../../ground/files.ts';
import { fileSha256 } from '../../ground/sha256.ts';
import type { Expected, Objects } from '../../objects/objects.ts';
import { LakeContendedError, NoPointersError } from './errors.ts';
import type { LakeHome } from './lake-home.ts';
import type { Pointers } from './pointers.ts';
import { HOME_FILE, markCopy } from './shared-lake.ts';
import { isOldAt, untilMoved } from './until-moved.ts';
import { CHOICE_FILE } from '../../ground/choice-file.ts';
import { filesBelow } from '../files-below.ts';

/** The folder of models: which are kept, and which of them is released, pinned or withdrawn. */
export type Shelf = {
  /** Has the folder hold what counts for all. */
  refresh: () => Promise<void>;
  /**
   * Does the work on the folder while nobody else changes it; what the work left counts for all when this returns. Where
   * another machine was first, it is done again on what that one left.
   */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Has what the folder holds count for all, whatever did before. */
  replace: () => Promise<void>;
  /** Removes what nothing names any more; how many objects. */
  tidy: () => Promise<number>;
};

export type SharedShelfOptions = {
  /** The folder of models on this machine. */
  folder: string;
  objects: Objects;
  pointers: Pointers;
  /** Does the work while no other process of this machine changes the folder. */
  lock: <T>(work: () => Promise<T>) => Promise<T>;
  now: () => Date;
};

/** What each file of the folder must be, by its path; all of it moves as one. */
type Files = Record<string, Expected>;

const UNIT = 'shelf';
const FILES = 'files/';
const PRINT_LENGTH = 16;

/** The shelf that many machines share; the folder of this machine is its copy. */
export function sharedShelf(options: SharedShelfOptions): Shelf {
  const { folder, objects, pointers, lock, now } = options;
  const given = async (seen: string, files: Files) => {
    await pointers.begin([FILES]);
    const there = parse(seen);
    for (const [name, file] of Object.entries(files)) {
      if (there[name]?.sha256 === file.sha256) continue;
      await objects.put(objectOf(name, file), await readFile(path.join(folder, name)));
    }
    return pointers.move(UNIT, seen, textOf(files));
  };
  /** What counts is here afterwards; returns it. Whoever calls has the lock. */
  const brought = async (): Promise<string> => {
    const local = await filesOf(folder);
    const isCopy = (await readIfThere(path.join(folder, HOME_FILE)))?.toString() === objects.place;
    const isKnown = await pointers.areKnown();
    if (!isKnown && isCopy && textOf(local) !== '') {
      throw new NoPointersError(objects.place, `${folder} is a copy of it and has models`);
    }
    const seen = isKnown ? ((await pointers.all()).units[UNIT] ?? '') : '';
    if (seen === textOf(local)) {
      // A folder that is not marked would bring back what others remove.
      if (!isCopy) await markCopy(folder, objects.place);
      return seen;
    }
    if (!isCopy) {
      const joint = joined(parse(seen), local);
      if (!(await given(seen, joint))) throw new LakeContendedError('models');
      await bring(options, joint);
      await markCopy(folder, objects.place);
      return textOf(joint);
    }
    await bring(options, parse(seen));
    return seen;
  };
  return {
    refresh: async () => {
      await lock(brought);
    },
    alone: (work) =>
      untilMoved('models', () =>
        lock(async () => {
          const before = await brought();
          const result = await work();
          return (await given(before, await filesOf(folder))) ? { result } : undefined;
        }),
      ),
    replace: () =>
      lock(async () => {
        // Whatever is there, it no longer counts.
        await pointers.begin([]);
        const isGiven = await given(await pointers.stateOf(UNIT), await filesOf(folder));
        if (!isGiven) throw new LakeContendedError('models');
        await markCopy(folder, objects.place);
      }),
    tidy: async () => {
      const isOld = isOldAt(now());
      const settled = await pointers.settle(isOld);
      if (!settled) return 0;
      const files = parse(settled.units[UNIT] ?? '');
      const named = new Set(Object.entries(files).map(([name, file]) => objectOf(name, file)));
      const unnamed = (await objects.list(FILES)).filter(
        ({ name, at }) => !named.has(name) && isOld(at),
      );
      for (const { name } of unnamed) await objects.remove(name);
      return unnamed.length;
    },
  };
}

/** The home of months, and of the models that go with them. */
export function withShelf(lake: Omit<LakeHome, 'choosing'>, shelf: Shelf): LakeHome {
  return {
    ...lake,
    refresh: async () => {
      await lake.refresh();
      await shelf.refresh();
    },
    choosing: shelf.alone,
    tidy: async () => (await lake.tidy()) + (await shelf.tidy()),
  };
}

/** Named by content, so that none ever changes. */
function objectOf(name: string, { sha256: print }: Expected): string {
  return `${FILES}${name}/${print.slice(0, PRINT_LENGTH)}`;
}

/** A machine that joins brings the models it has; which one counts is said by those that were there before. */
function joined(shared: Files, local: Files): Files {
  const { [CHOICE_FILE]: choice, ...models } = local;
  const isFirst = Object.keys(shared).length === 0;
  return { ...models, ...shared, ...(isFirst && choice && { [CHOICE_FILE]: choice }) };
}

async function bring({ folder, objects }: SharedShelfOptions, files: Files): Promise<void> {
  const local = await filesOf(folder);
  const names = Object.keys(files).toSorted(
    (a, b) => Number(a === CHOICE_FILE) - Number(b === CHOICE_FILE),
  );
  for (const name of names) {
    const file = files[name];
    if (!file || local[name]?.sha256 === file.sha256) continue;
    await objects.get(objectOf(name, file), path.join(folder, name), file);
  }
  for (const name of Object.keys(local)) {
    if (files[name]) continue;
    const [model = ''] = name.split(path.sep);
    const isWhole = !Object.keys(files).some((kept) => kept.startsWith(`${model}${path.sep}`));
    await rm(path.join(folder, isWhole ? model : name), { recursive: true, force: true });
  }
}

/** Every file of the folder, as it is. */
async function filesOf(folder: string): Promise<Files> {
  const files: Files = {};
  for (const name of await filesBelow(folder)) {
    const file = path.join(folder, name);
    files[name] = { bytes: (await stat(file)).size, sha256: await fileSha256(file) };
  }
  return files;
}

/** As the pointer holds it; empty when there is nothing. */
function textOf(files: Files): string {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(Object.fromEntries(sorted));
}

function parse(text: string): Files {
  return text === '' ? {} : (JSON.parse(text) as Files);
}
