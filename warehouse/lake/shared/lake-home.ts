import type { MonthRef } from '../versions.ts';
import type { FileCheck } from './unit-copy.ts';
import type { Unit } from './units.ts';

/**
 * The home of the lake's months, which is the local folder or a storage that machines share. If the storage is shared,
 * the local folder is a copy of the lake. Readers always read the local folder.
 */
export type LakeHome = {
  /** The shared storage, for messages; absent if the lake is the local folder. */
  place?: string;
  /**
   * Syncs the current manifests, the manifests of former versions, the ledger and the models into the local folders.
   */
  refresh: () => Promise<void>;
  /**
   * Downloads missing and damaged files of these units (default: all units). Checks each file by sha256, or only by
   * size.
   */
  fetch: (units?: Unit[], check?: FileCheck) => Promise<void>;
  /** Downloads the files of a month's former versions. */
  fetchVersions: (ref: MonthRef) => Promise<void>;
  /**
   * Runs `work` while holding the unit's lock, with the files of the unit downloaded, and publishes the result. If
   * another machine published first, runs `work` again on the result of that machine.
   */
  withUnitLock: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs `work` on the model folder while holding the lock of the folder, and publishes the result like `withUnitLock`.
   */
  withModelLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** Uploads a run to the shared lake. */
  putRun: (id: string) => Promise<void>;
  /** Throws if the storage is unavailable. */
  check: () => Promise<void>;
  /** Removes unreferenced objects and returns the number of removed objects. */
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
