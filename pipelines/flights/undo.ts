import type { Progress } from '../../warehouse/progress.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { LoadDeps } from './load.ts';
import type { MonthExtent } from './types.ts';

/** Which version of a month is to count again. */
export type RestoreRequest = MonthRef & { version: string };

/** What a month was, and what it is now; absent where the lake holds none. */
export type UndoReport = MonthRef & { before?: MonthExtent; after?: MonthExtent };

export type UndoDeps = Pick<LoadDeps, 'withWarehouse'> & {
  /** How much the lake holds of a month; undefined when it holds none that can be trusted. */
  extent: (ref: MonthRef) => Promise<MonthExtent | undefined>;
  /** Makes a version the month of the lake; what was it is put aside. */
  bringBack: (ref: MonthRef, version: string) => Promise<void>;
  /** Takes a month out of the lake and puts it aside. */
  takeAway: (ref: MonthRef) => Promise<void>;
};

/** Makes a version of a month the one that counts, in the lake first and then in the warehouse; safe to run twice. */
export async function restoreMonth(
  { version, month, tree }: RestoreRequest,
  deps: UndoDeps,
  progress: Progress,
): Promise<UndoReport> {
  const ref = { month, tree };
  const before = await deps.extent(ref);
  await deps.bringBack(ref, version);
  progress(1, 2, 'back in the lake');
  await deps.withWarehouse(async (warehouse) => {
    if (tree === 'levels') await warehouse.loadDelayCauses([month]);
    else await warehouse.loadMonth(month);
  });
  progress(2, 2, 'loaded');
  return reportOf(ref, before, await deps.extent(ref));
}

/** Takes a month out of the lake, where it is put aside, and out of the warehouse; safe to run twice. */
export async function dropMonth(
  { month, tree }: MonthRef,
  deps: UndoDeps,
  progress: Progress,
): Promise<UndoReport> {
  const ref = { month, tree };
  const before = await deps.extent(ref);
  await deps.takeAway(ref);
  progress(1, 2, 'out of the lake');
  await deps.withWarehouse((warehouse) => warehouse.unloadMonth(ref));
  progress(2, 2, 'out of the warehouse');
  return reportOf(ref, before, undefined);
}

function reportOf(
  ref: MonthRef,
  before: MonthExtent | undefined,
  after: MonthExtent | undefined,
): UndoReport {
  return { ...ref, ...(before && { before }), ...(after && { after }) };
}
