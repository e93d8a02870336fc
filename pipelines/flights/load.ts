import type { Warehouse } from '../../warehouse/build/warehouse.ts';
import type { LoadReport } from '../../warehouse/build/reports.ts';
import type { Progress } from '../../warehouse/progress.ts';

export type LoadDeps = {
  /** Opens the warehouse for the duration of `work`. */
  withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => Promise<T>;
  now: () => Date;
};

/** Loads months (`YYYY-MM`) of the lake into the warehouse. Each month is replaced in its own transaction. */
export async function loadMonths(
  months: string[],
  { withWarehouse }: Pick<LoadDeps, 'withWarehouse'>,
  progress: Progress,
): Promise<LoadReport> {
  return withWarehouse(async (warehouse) => {
    const sorted = months.toSorted();
    let flights = 0;
    for (const [index, month] of sorted.entries()) {
      flights += await warehouse.loadMonth(month);
      progress(index + 1, sorted.length, month);
    }
    return { months: sorted, flights };
  });
}

/** Loads months (`YYYY-MM`) of the delay-cause table from the lake into the warehouse, in one transaction. */
export async function loadDelayCauses(
  months: string[],
  { withWarehouse }: Pick<LoadDeps, 'withWarehouse'>,
  progress: Progress,
): Promise<LoadReport> {
  const sorted = months.toSorted();
  const flights = await withWarehouse((warehouse) => warehouse.loadDelayCauses(sorted));
  progress(1, 1, `${sorted.length} months of the delay-cause table`);
  return { months: sorted, flights };
}
