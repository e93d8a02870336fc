import type { LoadDeps } from '../../pipelines/flights/load.ts';
import type { UndoDeps } from '../../pipelines/flights/undo.ts';
import type { MonthLock } from '../../warehouse/extract/extract.ts';
import { compareVersion, readLakeExtent } from '../../warehouse/extract/replacement.ts';
import { currentManifest, restoreVersion, removeMonth } from '../../warehouse/lake/place-month.ts';
import { listVersions, type MonthRef } from '../../warehouse/lake/versions.ts';
import { HOME_PROVIDER, providerLakeDir, type DataPaths } from '../../warehouse/paths.ts';

/** Returns the functions that drop and restore months of a data folder. */
export function createUndo(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  keepVersions: number,
  { withWarehouse, now, withMonthLock }: LoadDeps & { withMonthLock: MonthLock },
): UndoDeps {
  const lakeOf = ({ provider = HOME_PROVIDER }: MonthRef) => providerLakeDir(lakeDir, provider);
  const optionsOf = (ref: MonthRef) => ({ lakeDir: lakeOf(ref), keepVersions, now });
  return {
    withWarehouse,
    readExtent: (ref) => readLakeExtent(lakeOf(ref), ref),
    compare: (ref, version) => compareWithVersion(lakeOf(ref), ref, version),
    restoreInLake: (ref, version) =>
      withMonthLock(ref, () => restoreVersion(ref, version, optionsOf(ref))),
    dropFromLake: (ref) => withMonthLock(ref, () => removeMonth(ref, optionsOf(ref))),
  };
}

/** Compares the current version of a month with a former version; undefined if either is missing. */
async function compareWithVersion(lakeDir: string, ref: MonthRef, id: string) {
  const current = await currentManifest(lakeDir, ref);
  const version = (await listVersions(lakeDir, ref, current)).find((one) => one.id === id);
  return version && compareVersion(lakeDir, ref, version);
}
