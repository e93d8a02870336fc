import type { MonthRef } from '../versions.ts';
import type { Look } from './unit-copy.ts';
import type { Unit } from './units.ts';

/**
 * Where the months that count are: the folder of this machine, or a place that many machines share, of which the folder is a
 * copy then. Whoever reads months reads them in the folder, in both.
 */
export type LakeHome = {
  /** As people name it; absent: the folder itself. */
  place?: string;
  /** Has the folder hold the manifests that count now, of versions too, and the ledger; and that of models what is kept. */
  refresh: () => Promise<void>;
  /** Has it hold the files these name, or those of all, bit for bit unless the size is enough. */
  fetch: (units?: Unit[], look?: Look) => Promise<void>;
  /** The same for the versions of a month. */
  fetchVersions: (ref: MonthRef) => Promise<void>;
  /**
   * Does the work while nobody else replaces the unit, with its files at hand; what the work left counts for all when this
   * returns. Where another machine was first, the work is done again on what that one wrote.
   */
  alone: <T>(unit: Unit, work: () => Promise<T>) => Promise<T>;
  /**
   * Does the work on the folder of models, what is kept there and which counts, as `alone` does: the work's last state counts
   * for all.
   */
  choosing: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives a run that was written to all. */
  putRun: (id: string) => Promise<void>;
  /** Throws what is wrong when the place cannot be reached. */
  check: () => Promise<void>;
  /** Removes what nothing names any more; how many objects. */
  tidy: () => Promise<number>;
};

const nothing = async () => undefined;

/** The lake of one machine. */
export function folderLake(lock: LakeHome['alone']): LakeHome {
  return {
    refresh: nothing,
    fetch: nothing,
    fetchVersions: nothing,
    alone: lock,
    choosing: (work) => work(),
    putRun: nothing,
    check: nothing,
    tidy: async () => 0,
  };
}
