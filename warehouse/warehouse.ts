import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BuildReport, CheckResult, Progress } from '../pipelines/types.ts';
import { buildIfChanged } from './build-inputs.ts';
import { lastChecks, runChecks } from './build.ts';
import { openDatabase } from './connect.ts';
import { loadMonth } from './load.ts';
import { migrate } from './migrate.ts';
import { recordRun, type Run } from './ledger.ts';
import type { DataPaths } from './paths.ts';
import { loadReference } from './reference/load.ts';
import { exportStore } from './store/export.ts';
import type { StoreFiles } from './store/open.ts';

export type { Run };

/** The warehouse while it is open; one process at a time can have it. */
export type Warehouse = {
  /** Replaces one month (`YYYY-MM`) by what the lake holds and returns its scheduled flights. */
  loadMonth: (month: string) => Promise<number>;
  /** Brings airports, airlines, holidays and the seed's calendar up to date; whether there was anything to do. */
  loadReference: (now: Date) => Promise<boolean>;
  /** Rebuilds every model unless nothing they rest on has changed; rows per mart. */
  buildModels: (progress: Progress) => Promise<BuildReport['rows']>;
  runChecks: (now: Date) => Promise<CheckResult[]>;
  /** Results of the checks of the last build. */
  lastChecks: () => Promise<CheckResult[]>;
  /** The marts as the files of a new store version, still unpublished. */
  exportStore: (now: Date) => Promise<StoreFiles>;
  recordRun: (run: Run) => Promise<void>;
};

/** DuckDB spills to disk beyond this, so that a worker stays within a small machine. */
const MEMORY_LIMIT = '1500MB';

/** Opens the warehouse, migrated to the newest layout, for the length of the work, and always closes it. */
export async function withWarehouse<T>(
  { warehouseFile, lakeDir }: DataPaths,
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  await mkdir(path.dirname(warehouseFile), { recursive: true });
  const db = await openDatabase({ path: warehouseFile, memoryLimit: MEMORY_LIMIT });
  try {
    await migrate(db);
    return await work({
      loadMonth: (month) => loadMonth(db, lakeDir, month),
      loadReference: (now) => loadReference(db, now),
      buildModels: (progress) => buildIfChanged(db, progress),
      runChecks: (now) => runChecks(db, now),
      lastChecks: () => lastChecks(db),
      exportStore: (now) => exportStore(db, now),
      recordRun: (run) => recordRun(db, run),
    });
  } finally {
    db.close();
  }
}
