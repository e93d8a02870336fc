import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CorruptFileError } from '../../errors.ts';
import { readIfExists } from '../../ground/files.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { fetchRuns, uploadRuns, putRun } from './shared-runs.ts';
import { fingerprintOf, versionsDir, type MonthRef } from '../versions.ts';
import { LakeContendedError, NoPointersError, OtherLakeError } from './errors.ts';
import type { LakeHome } from './lake-home.ts';
import type { PointerMap } from './pointer-copies.ts';
import type { Pointers } from './pointers.ts';
import { buildIsExpired, retryUntilMoved } from './retry-until-moved.ts';
import {
  syncUnit,
  fetchFiles,
  listMissingFiles,
  objectOf,
  putVersion,
  type LakeCopy,
} from './unit-copy.ts';
import {
  readLocalState,
  listLocalUnits,
  parseState,
  parseMonthRef,
  formatState,
  unitOf,
  type Unit,
  type UnitState,
} from './units.ts';
import { writeAtomically } from '../../ground/temporary.ts';

export type SharedLakeOptions = LakeCopy & {
  pointers: Pointers;
  /** Runs `work` while holding the unit's lock on this machine. */
  lock: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  now: () => Date;
};

/** Name of the file that marks a local folder as a copy of a shared lake. It contains the place of the shared lake. */
export const HOME_FILE = '.home';

/** Prefixes of object names in the storage. The name of each object of a unit begins with one of them. */
export const TREES = ['flights/', 'levels/', 'weather/', 'forecasts/'];

/** Number of files that are transferred at the same time. More transfers would not be faster on one machine. */
const CONCURRENCY = 8;

/** Opens a shared lake. Its pointers name the current versions, and the local folder is a copy of the lake. */
export function sharedLake(options: SharedLakeOptions): Omit<LakeHome, 'withModelLock'> {
  const { lakeDir, objects, pointers, lock, now } = options;
  const readState = async (unit: Unit) => parseState(await pointers.readState(unit));
  let isLinked = false;
  /**
   * Makes the local folder a copy of the shared lake. Returns false for a new lake. Throws if the lake has no pointers
   * but the folder has months, because these months must not be deleted.
   */
  const openCopy = async (): Promise<boolean> => {
    if (!isLinked) await linkCopy(options);
    isLinked = true;
    if (await pointers.hasPointers()) return true;
    const { length } = await listLocalUnits(lakeDir);
    if (length === 0) return false;
    throw new NoPointersError(objects.place, `the copy ${lakeDir} has ${length} months`);
  };
  const refreshUnit = async (unit: Unit) => {
    const [state, local] = [await readState(unit), await readLocalState(lakeDir, unit)];
    if (formatState(state) !== formatState(local)) await syncUnit(options, unit, state);
    return state;
  };
  const fetchUnit = async (unit: Unit, check: 'size' | 'bytes') => {
    if ((await listMissingFiles(path.join(lakeDir, unit), check)).length === 0) return;
    await lock(unit, async () => {
      const { current } = await refreshUnit(unit);
      if (current === undefined) return;
      await fetchFiles(options, { unit, print: current, folder: path.join(lakeDir, unit) }, check);
    });
  };
  const refreshUnits = async () => {
    const { units } = await pointers.readAll();
    const unitNames = new Set([...(await listLocalUnits(lakeDir)), ...Object.keys(units)]);
    await forEachConcurrently([...unitNames], CONCURRENCY, async (unit) => {
      const local = formatState(await readLocalState(lakeDir, unit));
      if (local === (units[unit] ?? '')) return;
      await lock(unit, async () => void (await refreshUnit(unit)));
    });
  };
  return {
    place: objects.place,
    refresh: async () => {
      if (await openCopy()) await refreshUnits();
      await fetchRuns(options, now());
    },
    fetch: async (units, check = 'bytes') => {
      if (!(await openCopy())) return;
      const requested = units ?? (await listLocalUnits(lakeDir));
      await forEachConcurrently(requested, CONCURRENCY, (unit) => fetchUnit(unit, check));
    },
    fetchVersions: async (ref) => {
      if (!(await openCopy())) return;
      const unit = unitOf(ref);
      await lock(unit, async () => {
        const { kept } = await refreshUnit(unit);
        for (const id of kept) await fetchVersion(options, ref, id);
      });
    },
    withUnitLock: async (unit, work) => {
      if (!(await openCopy())) await pointers.begin(TREES);
      return retryUntilMoved(unit, () =>
        lock(unit, async () => {
          const before = await refreshUnit(unit);
          await fetchUndamaged(options, unit, before);
          const result = await work();
          const after = await readLocalState(lakeDir, unit);
          return (await publishUnit(options, unit, before, after)) ? { result } : undefined;
        }),
      );
    },
    putRun: (id) => putRun(options, id),
    check: () => objects.check(),
    tidy: async () => {
      const isExpired = buildIsExpired(now());
      const current = await pointers.reconcile(isExpired);
      await uploadRuns(options);
      return current ? removeUnnamed(options, current, isExpired) : 0;
    },
  };
}

/**
 * Replaces the content of the shared lake with the months of the local folder. Months that only the storage has are
 * then no longer current.
 */
export async function replaceLake(options: SharedLakeOptions): Promise<{ units: number }> {
  const { lakeDir, objects, pointers, lock } = options;
  // Creates pointers even if the storage has objects, because the local months replace these objects.
  await pointers.begin([]);
  const { units } = await pointers.readAll();
  const local = await listLocalUnits(lakeDir);
  await forEachConcurrently([...new Set([...local, ...Object.keys(units)])], CONCURRENCY, (unit) =>
    lock(unit, async () => {
      const state = await readLocalState(lakeDir, unit);
      const before = parseState(await pointers.readState(unit));
      if (!(await publishUnit(options, unit, before, state))) throw new LakeContendedError(unit);
    }),
  );
  await uploadRuns(options);
  await markCopy(lakeDir, objects.place);
  return { units: local.length };
}

/**
 * Makes the local folder a copy of the shared lake. Throws if a month in the folder is missing or different in the
 * shared lake, because the copy would lose the local month. Also throws if the folder is a copy of another lake.
 */
async function linkCopy({ lakeDir, objects, pointers }: SharedLakeOptions): Promise<void> {
  const linkedPlace = (await readIfExists(path.join(lakeDir, HOME_FILE)))?.toString();
  if (linkedPlace === objects.place) return;
  if (linkedPlace !== undefined) {
    throw new OtherLakeError(lakeDir, objects.place, `it is a copy of ${linkedPlace}`);
  }
  const units = (await pointers.hasPointers()) ? (await pointers.readAll()).units : {};
  for (const unit of await listLocalUnits(lakeDir)) {
    const localText = formatState(await readLocalState(lakeDir, unit));
    if (localText !== '' && localText !== units[unit]) {
      throw new OtherLakeError(
        lakeDir,
        objects.place,
        `${unit} is missing there, or has different content`,
      );
    }
  }
  await markCopy(lakeDir, objects.place);
}

/** Marks the folder as a copy of this storage. */
export async function markCopy(lakeDir: string, place: string): Promise<void> {
  await writeAtomically(path.join(lakeDir, HOME_FILE), (temporary) => writeFile(temporary, place));
}

/** Uploads a unit's new versions and moves its pointer. Returns false if another machine moved the pointer first. */
async function publishUnit(
  options: SharedLakeOptions,
  unit: Unit,
  before: UnitState,
  after: UnitState,
): Promise<boolean> {
  const { lakeDir, pointers } = options;
  const storedPrints = new Set([before.current, ...before.kept.map(fingerprintOf)]);
  const ref = parseMonthRef(unit);
  const folders = [
    ...(after.current === undefined ? [] : [[after.current, path.join(lakeDir, unit)] as const]),
    ...(ref ? after.kept : []).map(
      (id) => [fingerprintOf(id), path.join(versionsDir(lakeDir, ref!), id)] as const,
    ),
  ];
  for (const [print, folder] of folders) {
    if (!storedPrints.has(print)) await putVersion(options, { unit, print, folder });
  }
  return pointers.move(unit, formatState(before), formatState(after));
}

/** Downloads a unit's files. Files that are damaged in the storage are ignored, because the caller replaces them. */
async function fetchUndamaged(
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

/** Removes versions that no pointer names. Young versions stay, because a machine may be reading or writing them. */
async function removeUnnamed(
  { objects }: SharedLakeOptions,
  { units }: PointerMap,
  isExpired: (at: Date) => boolean,
): Promise<number> {
  const namedPrefixes = new Set(
    Object.entries(units).flatMap(([unit, text]) => {
      const { current, kept } = parseState(text);
      const prints = [...(current === undefined ? [] : [current]), ...kept.map(fingerprintOf)];
      return prints.map((print) => objectOf(unit, print, ''));
    }),
  );
  const objectLists = await Promise.all(TREES.map((tree) => objects.list(tree)));
  const unnamed = objectLists
    .flat()
    .filter(
      ({ name, at }) =>
        !namedPrefixes.has(name.slice(0, name.lastIndexOf('/') + 1)) && isExpired(at),
    );
  for (const { name } of unnamed) await objects.remove(name);
  return unnamed.length;
}

/** Removes the mark of a copy. The folder is then an independent lake. */
export async function unlinkCopy(lakeDir: string): Promise<void> {
  await rm(path.join(lakeDir, HOME_FILE), { force: true });
}
