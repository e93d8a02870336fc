import type { LoadDeps } from '../../pipelines/flights/load.ts';
import type { UndoDeps } from '../../pipelines/flights/undo.ts';
import type { MonthLock } from '../../warehouse/extract/extract.ts';
import { heldExtent } from '../../warehouse/extract/replacement.ts';
import { bringBack, takeAway } from '../../warehouse/lake/place-month.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** How months of a data folder are dropped and brought back. */
export function createUndo(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  keepVersions: number,
  { withWarehouse, now, alone }: LoadDeps & { alone: MonthLock },
): UndoDeps {
  const options = { lakeDir, keepVersions, now };
  return {
    withWarehouse,
    extent: (ref) => heldExtent(lakeDir, ref),
    bringBack: (ref, version) => alone(ref, () => bringBack(ref, version, options)),
    takeAway: (ref) => alone(ref, () => takeAway(ref, options)),
  };
}
