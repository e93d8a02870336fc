import type { LoadDeps } from '../../pipelines/flights/load.ts';
import type { UndoDeps } from '../../pipelines/flights/undo.ts';
import type { MonthLock } from '../../warehouse/extract/extract.ts';
import { readLakeExtent } from '../../warehouse/extract/replacement.ts';
import { restoreVersion, removeMonth } from '../../warehouse/lake/place-month.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** Returns the effects for dropping and restoring months of a data folder. */
export function createUndo(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  keepVersions: number,
  { withWarehouse, now, withMonthLock }: LoadDeps & { withMonthLock: MonthLock },
): UndoDeps {
  const options = { lakeDir, keepVersions, now };
  return {
    withWarehouse,
    readExtent: (ref) => readLakeExtent(lakeDir, ref),
    restoreInLake: (ref, version) =>
      withMonthLock(ref, () => restoreVersion(ref, version, options)),
    dropFromLake: (ref) => withMonthLock(ref, () => removeMonth(ref, options)),
  };
}
