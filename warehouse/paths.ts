import path from 'node:path';

/** Files and folders under DATA_DIR. */
export type DataPaths = {
  lakeDir: string;
  /** The ledger: a file per run. */
  runsDir: string;
  /** The DuckDB file, which can be rebuilt from the lake. */
  warehouseFile: string;
  /** A copy of the DuckDB file, made at each publish. Any tool may keep this copy open. */
  readFile: string;
  /** The months in the DuckDB file, for processes that cannot open it. */
  snapshotFile: string;
  storeDir: string;
  /** Released models by version, and the name of the current one. */
  modelsDir: string;
  /** Figures and pages of backtests. */
  backtestsDir: string;
  /** A user's SQL models and checks; absent: only those of the service. */
  userSqlDir?: string | undefined;
  /** The lock for moving the pointer of the store or of the models. */
  storeLock: string;
  /** The archive of the API keys, without secrets. */
  archiveFile: string;
};

/** Returns the paths under a data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    lakeDir: path.join(dataDir, 'lake'),
    runsDir: path.join(dataDir, 'lake', 'runs'),
    warehouseFile: path.join(dataDir, 'warehouse.duckdb'),
    readFile: path.join(dataDir, 'warehouse-read.duckdb'),
    snapshotFile: path.join(dataDir, 'warehouse.json'),
    storeDir: path.join(dataDir, 'store'),
    modelsDir: path.join(dataDir, 'models'),
    backtestsDir: path.join(dataDir, 'backtests'),
    storeLock: path.join(dataDir, 'store.lock'),
    archiveFile: path.join(dataDir, 'archive', 'keys.jsonl'),
  };
}
