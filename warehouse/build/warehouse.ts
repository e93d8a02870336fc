import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BuildReport, CheckResult, LevelConflict } from './reports.ts';
import { levelConflicts } from './level-conflicts.ts';
import type { Progress } from '../progress.ts';
import { buildIfChanged } from './build-inputs.ts';
import { lastChecks, runChecks } from './build.ts';
import type { Database } from '../connect.ts';
import { openMigrated, type Waiting } from './database-file.ts';
import { catchUp, type CatchUpReport } from './catch-up.ts';
import { describeModels } from './describe.ts';
import { loadDelayCauses, unloadDelayCauses } from './level-load.ts';
import { loadMonth, unloadMonth } from './load.ts';
import { loadRuns } from '../lake/ledger-tables.ts';
import type { DataPaths } from '../paths.ts';
import { loadReference } from '../reference/load.ts';
import { writeSnapshot } from '../snapshot.ts';
import { makeViews } from './views.ts';
import { loadWeatherMonth } from './weather-load.ts';
import type { Unit } from '../lake/shared/units.ts';
import type { MonthRef } from '../lake/versions.ts';
import type { WeatherMonthRef } from '../lake/weather-lake.ts';
import { exportStore } from '../store/export.ts';
import type { ModelFile } from '../store/model.ts';
import type { StoreFiles } from '../store/open.ts';

/** The warehouse while it is open; one process at a time can have it. */
export type Warehouse = {
  /** Replaces one month (`YYYY-MM`) by what the lake holds and returns its scheduled flights. */
  loadMonth: (month: string) => Promise<number>;
  /** Replaces months of the delay-cause table by what the lake holds, all at once, and returns the flights they count. */
  loadDelayCauses: (months: string[]) => Promise<number>;
  /** Takes a month of flights, or of the delay-cause table, out of it. */
  unloadMonth: (ref: MonthRef) => Promise<void>;
  /** Replaces a month of weather of one source by what the lake holds and returns its airport-days. */
  loadWeatherMonth: (ref: WeatherMonthRef) => Promise<number>;
  /** Has it hold what the lake holds, whose files `fetch` brings. */
  catchUp: (fetch: (units: Unit[]) => Promise<void>) => Promise<CatchUpReport>;
  /** Brings airports, airlines, holidays and the seed's calendar up to date; whether there was anything to do. */
  loadReference: (now: Date) => Promise<boolean>;
  /** Rebuilds every model unless nothing they rest on has changed; rows per mart. */
  buildModels: (progress: Progress) => Promise<BuildReport['rows']>;
  runChecks: (now: Date) => Promise<CheckResult[]>;
  /** Where flights and the delay-cause table disagreed at the last build. */
  levelConflicts: () => Promise<LevelConflict[]>;
  /** Results of the checks of the last build. */
  lastChecks: () => Promise<CheckResult[]>;
  /** The marts, and the model if there is one, as the files of a new store version, still unpublished. */
  exportStore: (now: Date, model?: ModelFile) => Promise<StoreFiles>;
  /** Brings `ops.runs` and `ops.run_months` in line with the ledger. */
  loadRuns: () => Promise<void>;
};

/**
 * Opens the warehouse, migrated to the newest layout, for the length of the work, and always closes it.
 * What it holds then stands in the snapshot beside it, also after work that failed.
 */
export async function withWarehouse<T>(
  paths: DataPaths,
  work: (warehouse: Warehouse) => Promise<T>,
  waiting: Waiting = {},
): Promise<T> {
  await mkdir(path.dirname(paths.warehouseFile), { recursive: true });
  const db = await openMigrated(paths.warehouseFile, waiting);
  try {
    const result = await work(warehouseOn(db, paths));
    await makeViews(db, paths.lakeDir);
    await describeModels(db);
    return result;
  } finally {
    // A snapshot of before only makes `make status` late; it is no reason to fail.
    await writeSnapshot(db, paths.snapshotFile).catch(() => undefined);
    db.close();
  }
}

function warehouseOn(db: Database, { lakeDir, runsDir }: DataPaths): Warehouse {
  return {
    loadMonth: (month) => loadMonth(db, lakeDir, month),
    loadDelayCauses: (months) => loadDelayCauses(db, lakeDir, months),
    unloadMonth: ({ month, tree }) =>
      tree === 'levels' ? unloadDelayCauses(db, month) : unloadMonth(db, month),
    loadWeatherMonth: (ref) => loadWeatherMonth(db, lakeDir, ref),
    catchUp: (fetch) => catchUp(db, lakeDir, fetch),
    loadReference: (now) => loadReference(db, now),
    buildModels: (progress) => buildIfChanged(db, progress),
    runChecks: (now) => runChecks(db, now),
    levelConflicts: () => levelConflicts(db),
    lastChecks: () => lastChecks(db),
    exportStore: (now, model) => exportStore(db, now, model),
    loadRuns: () => loadRuns(db, runsDir),
  };
}
