import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RebuildReport } from './reports.ts';
import type { Progress } from '../progress.ts';
import { WarehouseBusyError } from '../errors.ts';
import { ensureDir, syncPath } from '../ground/files.ts';
import { removeLeftovers, withTemporary } from '../ground/temporary.ts';
import { listMonths, readManifests } from '../lake/lake.ts';
import type { DataPaths } from '../paths.ts';
import { withWarehouse } from './warehouse.ts';
import { listWeatherMonths } from '../lake/weather-lake.ts';

/**
 * Rebuilds the months, marts, checks and ledger of the DuckDB file from the lake. The new file is built beside the old
 * file and replaces it at the end. The same lake always gives the same marts.
 */
export async function rebuildWarehouse(
  paths: DataPaths,
  now: () => Date,
  progress: Progress,
): Promise<RebuildReport> {
  const folder = path.dirname(paths.warehouseFile);
  await ensureDir(folder);
  await removeLeftovers(folder, now());
  return withTemporary(folder, (file) =>
    withTemporary(folder, (snapshot) =>
      rebuildInto({ ...paths, warehouseFile: file, snapshotFile: snapshot }, paths, now, progress),
    ),
  );
}

async function rebuildInto(
  newPaths: DataPaths,
  paths: DataPaths,
  now: () => Date,
  progress: Progress,
): Promise<RebuildReport> {
  const { warehouseFile, snapshotFile } = paths;
  const months = (await readManifests(paths.lakeDir)).map(({ month }) => month);
  const levels = await listMonths(paths.lakeDir, 'levels');
  const weather = await listWeatherMonths(paths.lakeDir);
  if (existsSync(warehouseFile)) await replayLog(paths);
  const rebuilt = await withWarehouse(newPaths, async (warehouse) => {
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
    const conflicts = await warehouse.readLevelConflicts();
    await warehouse.loadRuns();
    return { months, flights, rows, checks, conflicts };
  });
  await syncPath(newPaths.warehouseFile);
  await rm(`${warehouseFile}.wal`, { force: true });
  await rename(newPaths.warehouseFile, warehouseFile);
  await rename(newPaths.snapshotFile, snapshotFile);
  await syncPath(path.dirname(warehouseFile));
  progress(months.length + 2, months.length + 2, 'in place');
  return rebuilt;
}

/**
 * Replays the write-ahead log that a killed worker left beside the old file. Otherwise DuckDB would replay this log
 * into the new file. An old file that cannot be opened is ignored, because the rebuild replaces it.
 */
async function replayLog(paths: DataPaths): Promise<void> {
  try {
    await withWarehouse(paths, async () => undefined);
  } catch (error) {
    if (error instanceof WarehouseBusyError) throw error;
  }
}
