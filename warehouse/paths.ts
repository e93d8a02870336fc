import path from 'node:path';

/** Where everything lives under DATA_DIR. */
export type DataPaths = {
  lakeDir: string;
  /** The ledger: a file per run. */
  runsDir: string;
  /** The DuckDB file; rebuildable from the lake. */
  warehouseFile: string;
  /** A copy of it, made at each publish, that anyone may keep open. */
  readFile: string;
  /** What the DuckDB file holds, for whoever cannot open it now. */
  snapshotFile: string;
  storeDir: string;
  /** Released models, by version, and which of them is published. */
  modelsDir: string;
  /** Figures and pages of back-tests. */
  backtestsDir: string;
  /** Held by whoever moves the pointer of the store or of the models. */
  storeLock: string;
  /** Copy of the API keys, without secrets. */
  archiveFile: string;
};

/** The paths under a data folder. */
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
