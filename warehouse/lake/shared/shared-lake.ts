import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CorruptFileError } from '../../errors.ts';
import { readIfThere } from '../../ground/files.ts';
import { forEachOf } from './several.ts';
import { intoPlace } from '../../ground/into-place.ts';
import { bringRuns, giveRuns, putRun } from './shared-runs.ts';
import { fingerprintOf, versionsDir, type MonthRef } from '../versions.ts';
import { LakeContendedError, NoPointersError, OtherLakeError } from './errors.ts';
import type { LakeHome } from './lake-home.ts';
import type { PointerMap } from './pointer-copies.ts';
import type { Pointers } from './pointers.ts';
import { isOldAt, untilMoved } from './until-moved.ts';
import {
  bringUnit,
  fetchFiles,
  lacking,
  objectOf,
  putVersion,
  type LakeCopy,
} from './unit-copy.ts';
import {
  localState,
  localUnits,
  parseState,
  refOf,
  stateText,
  unitOf,
  type Unit,
  type UnitState,
} from './units.ts';

export type SharedLakeOptions = LakeCopy & {
  pointers: Pointers;
  /** Does the work while no other process of this machine has the unit. */
  lock: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  now: () => Date;
};

/** Says of which lake a folder is a copy. */
export const HOME_FILE = '.home';

/** Where versions of months are. */
export const TREES = ['flights/', 'levels/', 'weather/'];

/** Exchanges at once; more would not be quicker on one machine. */
const AT_ONCE = 8;

/** The lake whose months count where a pointer says so; the folder of this machine is its copy. */
export function sharedLake(options: SharedLakeOptions): Omit<LakeHome, 'choosing'> {
  const { lakeDir, objects, pointers, lock, now } = options;
  const stateOf = async (unit: Unit) => parseState(await pointers.stateOf(unit));
  const isCopy = { was: false };
  /** Makes the folder a copy. Returns whether anything counts there yet; months that are here are not deleted for want of it. */
  const openCopy = async (): Promise<boolean> => {
    if (!isCopy.was) await beCopyOf(options);
    isCopy.was = true;
    if (await pointers.areKnown()) return true;
    const { length } = await localUnits(lakeDir);
    if (length === 0) return false;
    throw new NoPointersError(objects.place, `${lakeDir} is a copy of it and has ${length} months`);
  };
  const refreshUnit = async (unit: Unit) => {
    const [state, local] = [await stateOf(unit), await localState(lakeDir, unit)];
    if (stateText(state) !== stateText(local)) await bringUnit(options, unit, state);
    return state;
  };
  const fetchUnit = async (unit: Unit, look: 'size' | 'bytes') => {
    if ((await lacking(path.join(lakeDir, unit), look)).length === 0) return;
    await lock(unit, async () => {
      const { current } = await refreshUnit(unit);
      if (current === undefined) return;
      await fetchFiles(options, { unit, print: current, folder: path.join(lakeDir, unit) }, look);
    });
  };
  const refreshUnits = async () => {
    const { units } = await pointers.all();
    const known = new Set([...(await localUnits(lakeDir)), ...Object.keys(units)]);
    await forEachOf([...known], AT_ONCE, async (unit) => {
      const local = stateText(await localState(lakeDir, unit));
      if (local === (units[unit] ?? '')) return;
      await lock(unit, async () => void (await refreshUnit(unit)));
    });
  };
  return {
    place: objects.place,
    refresh: async () => {
      if (await openCopy()) await refreshUnits();
      await bringRuns(options, now());
    },
    fetch: async (units, look = 'bytes') => {
      if (!(await openCopy())) return;
      const wanted = units ?? (await localUnits(lakeDir));
      await forEachOf(wanted, AT_ONCE, (unit) => fetchUnit(unit, look));
    },
    fetchVersions: async (ref) => {
      if (!(await openCopy())) return;
      const unit = unitOf(ref);
      await lock(unit, async () => {
        const { kept } = await refreshUnit(unit);
        for (const id of kept) await fetchVersion(options, ref, id);
      });
    },
    alone: async (unit, work) => {
      if (!(await openCopy())) await pointers.begin(TREES);
      return untilMoved(unit, () =>
        lock(unit, async () => {
          const before = await refreshUnit(unit);
          await fetchSound(options, unit, before);
          const result = await work();
          const after = await localState(lakeDir, unit);
          return (await hasMoved(options, unit, before, after)) ? { result } : undefined;
        }),
      );
    },
    putRun: (id) => putRun(options, id),
    check: () => objects.check(),
    tidy: async () => {
      const isOld = isOldAt(now());
      const settled = await pointers.settle(isOld);
      await giveRuns(options);
      return settled ? sweep(options, settled, isOld) : 0;
    },
  };
}

/** Brings all that this machine has to the place of a lake, and nothing else there counts from then on. */
export async function replaceLake(options: SharedLakeOptions): Promise<{ units: number }> {
  const { lakeDir, objects, pointers, lock } = options;
  // Whatever is there, it no longer counts.
  await pointers.begin([]);
  const { units } = await pointers.all();
  const local = await localUnits(lakeDir);
  await forEachOf([...new Set([...local, ...Object.keys(units)])], AT_ONCE, (unit) =>
    lock(unit, async () => {
      const state = await localState(lakeDir, unit);
      const before = parseState(await pointers.stateOf(unit));
      if (!(await hasMoved(options, unit, before, state))) throw new LakeContendedError(unit);
    }),
  );
  await giveRuns(options);
  await markCopy(lakeDir, objects.place);
  return { units: local.length };
}

/** A folder becomes a copy when it holds nothing, or the very months that count: months of its own would be lost. */
async function beCopyOf({ lakeDir, objects, pointers }: SharedLakeOptions): Promise<void> {
  const marked = (await readIfThere(path.join(lakeDir, HOME_FILE)))?.toString();
  if (marked === objects.place) return;
  if (marked !== undefined) throw new OtherLakeError(lakeDir, objects.place, `a copy of ${marked}`);
  const units = (await pointers.areKnown()) ? (await pointers.all()).units : {};
  for (const unit of await localUnits(lakeDir)) {
    const own = stateText(await localState(lakeDir, unit));
    if (own !== '' && own !== units[unit]) {
      throw new OtherLakeError(lakeDir, objects.place, `a lake of its own, with ${unit}`);
    }
  }
  await markCopy(lakeDir, objects.place);
}

/** Says in the folder that it is a copy of what is in that place. */
export async function markCopy(lakeDir: string, place: string): Promise<void> {
  await intoPlace(path.join(lakeDir, HOME_FILE), (temporary) => writeFile(temporary, place));
}

/** Puts what is new of a unit where all find it, and moves its pointer; false when another moved it meanwhile. */
async function hasMoved(
  options: SharedLakeOptions,
  unit: Unit,
  before: UnitState,
  after: UnitState,
): Promise<boolean> {
  const { lakeDir, pointers } = options;
  const there = new Set([before.current, ...before.kept.map(fingerprintOf)]);
  const ref = refOf(unit);
  const folders = [
    ...(after.current === undefined ? [] : [[after.current, path.join(lakeDir, unit)] as const]),
    ...(ref ? after.kept : []).map(
      (id) => [fingerprintOf(id), path.join(versionsDir(lakeDir, ref!), id)] as const,
    ),
  ];
  for (const [print, folder] of folders) {
    if (!there.has(print)) await putVersion(options, { unit, print, folder });
  }
  return pointers.move(unit, stateText(before), stateText(after));
}

/** Files that are damaged where all find them stay away: there is nothing to defend then, and what is written heals it. */
async function fetchSound(
  options: SharedLakeOptions,
  unit: Unit,
  { current: print }: UnitState,
): Promise<void> {
  if (print === undefined) return;
  const folder = path.join(options.lakeDir, unit);
  try {
    await fetchFiles(options, { unit, print, folder }, 'bytes');
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
  }
}

async function fetchVersion(options: SharedLakeOptions, ref: MonthRef, id: string): Promise<void> {
  const folder = path.join(versionsDir(options.lakeDir, ref), id);
  await fetchFiles(options, { unit: unitOf(ref), print: fingerprintOf(id), folder }, 'bytes');
}

/** Removes versions that nothing names any more, once nobody can be reading or writing them. */
async function sweep(
  { objects }: SharedLakeOptions,
  { units }: PointerMap,
  isOld: (at: Date) => boolean,
): Promise<number> {
  const named = new Set(
    Object.entries(units).flatMap(([unit, text]) => {
      const { current, kept } = parseState(text);
      const prints = [...(current === undefined ? [] : [current]), ...kept.map(fingerprintOf)];
      return prints.map((print) => objectOf(unit, print, ''));
    }),
  );
  const all = await Promise.all(TREES.map((tree) => objects.list(tree)));
  const unnamed = all
    .flat()
    .filter(({ name, at }) => !named.has(name.slice(0, name.lastIndexOf('/') + 1)) && isOld(at));
  for (const { name } of unnamed) await objects.remove(name);
  return unnamed.length;
}

/** Forgets of which lake the folder is a copy: what it holds is a lake of its own from then on. */
export async function leaveLake(lakeDir: string): Promise<void> {
  await rm(path.join(lakeDir, HOME_FILE), { force: true });
}
