import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RebuildReport } from './reports.ts';
import type { Progress } from '../progress.ts';
import { WarehouseBusyError } from '../errors.ts';
import { ensureDir, syncPath } from '../ground/files.ts';
import { monthsIn, readManifests } from '../lake/lake.ts';
import type { DataPaths } from '../paths.ts';
import { withWarehouse } from './warehouse.ts';
import { weatherMonths } from '../lake/weather-lake.ts';

/**
 * Makes the DuckDB file anew from the lake: months, marts, checks and the ledger. It is built beside the old one,
 * which it replaces at the end; until then the old one stays as it is. The same lake gives the same marts.
 */
export async function rebuildWarehouse(
  paths: DataPaths,
  now: () => Date,
  progress: Progress,
): Promise<RebuildReport> {
  const { warehouseFile, snapshotFile } = paths;
  await ensureDir(path.dirname(warehouseFile));
  const fresh = {
    ...paths,
    warehouseFile: `${warehouseFile}.new`,
    snapshotFile: `${snapshotFile}.new`,
  };
  await removeDatabase(fresh.warehouseFile);
  const months = (await readManifests(paths.lakeDir)).map(({ month }) => month);
  const levels = await monthsIn(paths.lakeDir, 'levels');
  const weather = await weatherMonths(paths.lakeDir);
  if (existsSync(warehouseFile)) await settle(paths);
  const rebuilt = await withWarehouse(fresh, async (warehouse) => {
    const total = months.length + 2;
    let flights = 0;
    for (const [index, month] of months.entries()) {
      flights += await warehouse.loadMonth(month);
      progress(index + 1, total, month);
    }
    await warehouse.loadDelayCauses(levels);
    for (const ref of weather) await warehouse.loadWeatherMonth(ref);
    await warehouse.loadReference(now());
    const rows = await warehouse.buildModels((_done, _total, what) =>
      progress(months.length + 1, total, what),
    );
    const checks = await warehouse.runChecks(now());
    const conflicts = await warehouse.levelConflicts();
    await warehouse.loadRuns();
    return { months, flights, rows, checks, conflicts };
  });
  await syncPath(fresh.warehouseFile);
  await rm(`${warehouseFile}.wal`, { force: true });
  await rename(fresh.warehouseFile, warehouseFile);
  await rename(fresh.snapshotFile, snapshotFile);
  await syncPath(path.dirname(warehouseFile));
  progress(months.length + 2, months.length + 2, 'in place');
  return rebuilt;
}

async function removeDatabase(file: string): Promise<void> {
  for (const leftover of [file, `${file}.wal`, `${file}.tmp`]) {
    await rm(leftover, { force: true, recursive: true });
  }
}

/**
 * Brings what a killed worker left in the write-ahead log into the old file: the log must not meet the new one.
 * An old file that cannot be opened is the best reason to make a new one.
 */
async function settle(paths: DataPaths): Promise<void> {
  try {
    await withWarehouse(paths, async () => undefined);
  } catch (error) {
    if (error instanceof WarehouseBusyError) throw error;
  }
}
