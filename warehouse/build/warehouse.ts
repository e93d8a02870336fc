import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BuildReport, CheckResult, LevelConflict } from './reports.ts';
import { readLevelConflicts } from './level-conflicts.ts';
import type { Progress } from '../progress.ts';
import { buildIfChanged } from './build-inputs.ts';
import { readLastChecks, runChecks } from './build.ts';
import type { Database } from '../connect.ts';
import { openMigrated, type WaitOptions } from './database-file.ts';
import { catchUp, type CatchUpReport } from './catch-up.ts';
import { describeModels } from './describe.ts';
import { loadDelayCauses, unloadDelayCauses } from './level-load.ts';
import { loadMonth, unloadMonth } from './load.ts';
import { refreshCompleteness } from '../lake/completeness.ts';
import { loadRuns } from '../lake/ledger-tables.ts';
import type { DataPaths } from '../paths.ts';
import { loadReference } from '../reference/load.ts';
import { writeSnapshot } from '../snapshot.ts';
import { createViews } from './views.ts';
import { buildUserModels, modelProblems } from './build-user-sql.ts';
import { runUserChecks } from './user-checks.ts';
import { readUserSql, type UserSql } from './user-sql.ts';
import { loadWeatherMonth } from './weather-load.ts';
import type { Unit } from '../lake/shared/units.ts';
import type { MonthRef } from '../lake/versions.ts';
import type { WeatherMonthRef } from '../lake/weather-lake.ts';
import { exportStore } from '../store/export.ts';
import type { ModelFile } from '../store/model.ts';
import type { StoreFiles } from '../store/store-manifest.ts';

/** The open warehouse. Only one process at a time can open it. */
export type Warehouse = {
  /**
   * Replaces one month (`YYYY-MM`) with the data of the lake, and returns the number of scheduled flights in that
   * month.
   */
  loadMonth: (month: string) => Promise<number>;
  /**
   * Replaces months of the delay-cause table with the data of the lake, in one transaction, and returns the number of
   * flights in these months.
   */
  loadDelayCauses: (months: string[]) => Promise<number>;
  /** Removes a month of flights or of the delay-cause table. */
  unloadMonth: (ref: MonthRef) => Promise<void>;
  /** Replaces a month of weather of one source with the data of the lake and returns the number of airport-days. */
  loadWeatherMonth: (ref: WeatherMonthRef) => Promise<number>;
  /** Loads and removes months until the warehouse matches the lake; `fetch` downloads the files to load. */
  catchUp: (fetch: (units: Unit[]) => Promise<void>) => Promise<CatchUpReport>;
  /** Updates airports, airlines, holidays and the seed's calendar; returns whether anything changed. */
  loadReference: (now: Date) => Promise<boolean>;
  /** Rebuilds every model unless its inputs are unchanged; returns the rows per mart. */
  buildModels: (progress: Progress) => Promise<BuildReport['rows']>;
  runChecks: (now: Date) => Promise<CheckResult[]>;
  /** Reads the conflicts that the last build found between flights and the delay-cause table. */
  readLevelConflicts: () => Promise<LevelConflict[]>;
  /** Reads the check results of the last build. */
  readLastChecks: () => Promise<CheckResult[]>;
  /** Exports the marts, and the model if given, as the files of a new, unpublished store version. */
  exportStore: (now: Date, model?: ModelFile, provider?: string) => Promise<StoreFiles>;
  /** Updates `ops.runs` and `ops.run_months` from the ledger. */
  loadRuns: () => Promise<void>;
};

/**
 * Opens the warehouse and migrates it to the newest layout. Runs `work`, and always closes the warehouse afterwards.
 * Writes the summary `warehouse.json` beside the DuckDB file, even if `work` failed.
 */
export async function withWarehouse<T>(
  paths: DataPaths,
  work: (warehouse: Warehouse) => Promise<T>,
  waiting: WaitOptions = {},
): Promise<T> {
  await mkdir(path.dirname(paths.warehouseFile), { recursive: true });
  const db = await openMigrated(paths.warehouseFile, waiting);
  try {
    const own = await readUserSql(paths.userSqlDir);
    const result = await work(warehouseOn(db, paths, own));
    await createViews(db, paths.lakeDir);
    await describeModels(db, own.models);
    return result;
  } finally {
    // An outdated summary only makes `make status` show older data, so this error is ignored.
    await refreshCompleteness(db)
      .then(() => writeSnapshot(db, paths.snapshotFile))
      .catch(() => undefined);
    db.close();
  }
}

function warehouseOn(db: Database, { lakeDir, runsDir }: DataPaths, own: UserSql): Warehouse {
  let problems = own.problems;
  return {
    loadMonth: (month) => loadMonth(db, lakeDir, month),
    loadDelayCauses: (months) => loadDelayCauses(db, lakeDir, months),
    unloadMonth: ({ month, tree }) =>
      tree === 'levels' ? unloadDelayCauses(db, month) : unloadMonth(db, month),
    loadWeatherMonth: (ref) => loadWeatherMonth(db, lakeDir, ref),
    catchUp: (fetch) => catchUp(db, lakeDir, fetch),
    loadReference: (now) => loadReference(db, now),
    buildModels: async (progress) => {
      await refreshCompleteness(db);
      const rows = await buildIfChanged(db, progress);
      const build = await buildUserModels(db, own);
      problems = build.problems;
      return { ...rows, ...build.rows };
    },
    runChecks: async (now) => {
      const results = await runUserChecks(db, own, now);
      return runChecks(db, now, [...results, ...modelProblems(problems)]);
    },
    readLevelConflicts: () => readLevelConflicts(db),
    readLastChecks: () => readLastChecks(db),
    exportStore: (now, model, provider) => exportStore(db, now, model, provider),
    loadRuns: () => loadRuns(db, runsDir),
  };
}
