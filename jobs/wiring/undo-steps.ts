import path from 'node:path';
import { mkdirSync } from 'node:fs';
import type { LoadDeps } from '../../pipelines/flights/load.ts';
import type { UndoDeps } from '../../pipelines/flights/undo.ts';
import type { MonthLock } from '../../warehouse/extract/extract.ts';
import { heldExtent } from '../../warehouse/extract/replacement.ts';
import { bringBack, takeAway } from '../../warehouse/lake/place-month.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import { withLock } from '../processes/lock.ts';

/** A month of 600,000 flights is written in seconds. */
const MONTH_PATIENCE_MS = 5 * 60_000;

/** Lets one process at a time replace a month of the lake. */
export function monthLock({ lakeDir }: Pick<DataPaths, 'lakeDir'>): MonthLock {
  const folder = path.join(lakeDir, 'locks');
  return ({ month, tree }, work) => {
    mkdirSync(folder, { recursive: true });
    return withLock(path.join(folder, `${tree}-${month}`), MONTH_PATIENCE_MS, work);
  };
}

/** How months of a data folder are dropped and brought back. */
export function createUndo(
  paths: Pick<DataPaths, 'lakeDir'>,
  keepVersions: number,
  { withWarehouse, now }: LoadDeps,
): UndoDeps {
  const { lakeDir } = paths;
  const alone = monthLock(paths);
  const options = { lakeDir, keepVersions, now };
  return {
    withWarehouse,
    extent: (ref) => heldExtent(lakeDir, ref),
    bringBack: (ref, version) => alone(ref, () => bringBack(ref, version, options)),
    takeAway: (ref) => alone(ref, () => takeAway(ref, options)),
  };
}
