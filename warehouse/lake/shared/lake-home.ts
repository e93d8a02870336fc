import type { MonthRef } from '../versions.ts';
import type { FileCheck } from './unit-copy.ts';
import type { Unit } from './units.ts';

/**
 * The home of the lake's months: the local folder, or a storage that machines share. If the storage is shared, the
 * local folder is a copy of the lake. Readers always read the local folder.
 */
export type LakeHome = {
  /** The shared storage, for messages; absent if the lake is the local folder. */
  place?: string;
  /** Syncs current manifests, former versions' manifests, ledger and models into the local folders. */
  refresh: () => Promise<void>;
  /**
   * Downloads missing and damaged files of these units (default: all units). Checks files by sha256, or only by size.
   */
  fetch: (units?: Unit[], check?: FileCheck) => Promise<void>;
  /** Downloads the files of a month's former versions. */
  fetchVersions: (ref: MonthRef) => Promise<void>;
  /**
   * Runs the work while holding the unit's lock, with the unit's files downloaded, and publishes the result. If
   * another machine published first, repeats the work on that machine's result.
   */
  withUnitLock: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  /** Runs work on the model folder while holding the folder's lock, and publishes the result like `withUnitLock`. */
  withModelLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** Uploads a run to the shared lake. */
  putRun: (id: string) => Promise<void>;
  /** Throws if the storage is unavailable. */
  check: () => Promise<void>;
  /** Removes unreferenced objects and returns their number. */
  tidy: () => Promise<number>;
};

const doNothing = async () => undefined;

/** Returns the home of a lake that is not shared. */
export function folderLake(lock: LakeHome['withUnitLock']): LakeHome {
  return {
    refresh: doNothing,
    fetch: doNothing,
    fetchVersions: doNothing,
    withUnitLock: lock,
    withModelLock: (work) => work(),
    putRun: doNothing,
    check: doNothing,
    tidy: async () => 0,
  };
}
