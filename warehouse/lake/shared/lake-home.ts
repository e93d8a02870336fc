import type { MonthRef } from '../versions.ts';
import type { FileCheck } from './unit-copy.ts';
import type { Unit } from './units.ts';

/**
 * The place of the lake's months: the local folder, or a storage that machines share. With a shared storage, the local
 * folder is a copy of the lake. Readers always read the local folder.
 */
export type LakeHome = {
  /** Name of the shared storage in messages. Absent if the lake is the local folder. */
  place?: string;
  /** Updates the local folders: current manifests, manifests of former versions, the ledger and the models. */
  refresh: () => Promise<void>;
  /**
   * Downloads the files of these units that are missing or damaged on this machine. By default, downloads them for all
   * units. `check` selects how files are checked: by sha256, or only by size.
   */
  fetch: (units?: Unit[], check?: FileCheck) => Promise<void>;
  /** Downloads the files of a month's former versions. */
  fetchVersions: (ref: MonthRef) => Promise<void>;
  /**
   * Downloads the files of the unit, runs `work` while holding the unit's lock, and publishes the result. If another
   * machine published first, downloads that machine's result and runs `work` again.
   */
  withUnitLock: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs `work` on the model folder while holding its lock, and publishes the result in the same way as `withUnitLock`.
   */
  withModelLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** Uploads a run to the shared lake. */
  putRun: (id: string) => Promise<void>;
  /** Throws if the storage is unavailable. */
  check: () => Promise<void>;
  /** Removes old objects that no pointer names, and returns their number. */
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
