import type { Progress } from '../../warehouse/progress.ts';
import { periodText } from '../../warehouse/ground/period.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { LoadDeps } from './load.ts';
import { RestoreRefusedError } from '../errors.ts';
import { describeLosses } from './losses.ts';
import type { Comparison, MonthExtent } from '../../warehouse/extract/staged-month.ts';

/** The former version of a month to restore. */
export type RestoreRequest = MonthRef & {
  version: string;
  /** Whether to restore a version that has far fewer flights than the current one. */
  force?: boolean;
};

/** Extent of a month before and after the change; absent if the lake has no intact version. */
export type UndoReport = MonthRef & { before?: MonthExtent; after?: MonthExtent };

export type UndoDeps = Pick<LoadDeps, 'withWarehouse'> & {
  /** Returns the extent of a month in the lake; undefined if the lake has no intact version. */
  readExtent: (ref: MonthRef) => Promise<MonthExtent | undefined>;
  /** Compares the current version with a former version; undefined if the lake has no intact current version. */
  compare: (ref: MonthRef, version: string) => Promise<Comparison | undefined>;
  /** Makes a former version current in the lake; the replaced version becomes a former version. */
  restoreInLake: (ref: MonthRef, version: string) => Promise<void>;
  /** Removes a month from the lake; its version becomes a former version. */
  dropFromLake: (ref: MonthRef) => Promise<void>;
};

/**
 * Makes a former version of a month current, first in the lake, then in the warehouse. Safe to run twice. Without
 * `force`, throws `RestoreRefusedError` if the lake would lose too much. The limits are those of an ingest.
 */
export async function restoreMonth(
  { version, force = false, ...request }: RestoreRequest,
  deps: UndoDeps,
  progress: Progress,
): Promise<UndoReport> {
  const ref = refOf(request);
  const before = await deps.readExtent(ref);
  const comparison = force ? undefined : await deps.compare(ref, version);
  const losses = comparison ? describeLosses(comparison) : [];
  if (losses.length > 0) throw new RestoreRefusedError(periodText({ ...ref, ...before }), losses);
  await deps.restoreInLake(ref, version);
  progress(1, 2, 'restored in the lake');
  await deps.withWarehouse(async (warehouse) => {
    if (ref.provider !== undefined) await warehouse.catchUp(noDownloads);
    else if (ref.tree === 'levels') await warehouse.loadDelayCauses([ref.month]);
    else await warehouse.loadMonth(ref.month);
  });
  progress(2, 2, 'loaded');
  return buildReport(ref, before, await deps.readExtent(ref));
}

/** Removes a month from the lake and the warehouse. The lake keeps the month as a former version. Safe to run twice. */
export async function dropMonth(
  request: MonthRef,
  deps: UndoDeps,
  progress: Progress,
): Promise<UndoReport> {
  const ref = refOf(request);
  const before = await deps.readExtent(ref);
  await deps.dropFromLake(ref);
  progress(1, 2, 'removed from the lake');
  await deps.withWarehouse(async (warehouse) => {
    if (ref.provider !== undefined) await warehouse.catchUp(noDownloads);
    else await warehouse.unloadMonth(ref);
  });
  progress(2, 2, 'removed from the warehouse');
  return buildReport(ref, before, undefined);
}

/**
 * Replaces the download when `catchUp` loads another provider's lake. The files of these lakes are always local.
 * `catchUp` loads all changed months, because a change of one month may add or remove other months: the counts of a
 * year replace the counts of its months.
 */
const noDownloads = async () => undefined;

function refOf({ month, tree, provider }: MonthRef): MonthRef {
  return { month, tree, ...(provider !== undefined && { provider }) };
}

function buildReport(
  ref: MonthRef,
  before: MonthExtent | undefined,
  after: MonthExtent | undefined,
): UndoReport {
  return { ...ref, ...(before && { before }), ...(after && { after }) };
}
