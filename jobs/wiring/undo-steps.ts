import type { LoadDeps } from '../../pipelines/flights/load.ts';
import type { UndoDeps } from '../../pipelines/flights/undo.ts';
import type { MonthLock } from '../../warehouse/extract/extract.ts';
import { compareVersion, readLakeExtent } from '../../warehouse/extract/replacement.ts';
import { currentManifest, restoreVersion, removeMonth } from '../../warehouse/lake/place-month.ts';
import { listVersions, type MonthRef } from '../../warehouse/lake/versions.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** Returns the functions that drop and restore months of a data folder. */
export function createUndo(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  keepVersions: number,
  { withWarehouse, now, withMonthLock }: LoadDeps & { withMonthLock: MonthLock },
): UndoDeps {
  const options = { lakeDir, keepVersions, now };
  return {
    withWarehouse,
    readExtent: (ref) => readLakeExtent(lakeDir, ref),
    compare: (ref, version) => compareWithVersion(lakeDir, ref, version),
    restoreInLake: (ref, version) =>
      withMonthLock(ref, () => restoreVersion(ref, version, options)),
    dropFromLake: (ref) => withMonthLock(ref, () => removeMonth(ref, options)),
  };
}

/** Compares the current version of a month with a former version; undefined if either is missing. */
async function compareWithVersion(lakeDir: string, ref: MonthRef, id: string) {
  const current = await currentManifest(lakeDir, ref);
  const version = (await listVersions(lakeDir, ref, current)).find((one) => one.id === id);
  return version && compareVersion(lakeDir, ref, version);
}
