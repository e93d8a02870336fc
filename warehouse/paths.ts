import path from 'node:path';

/** Where everything lives under DATA_DIR. */
export type DataPaths = {
  lakeDir: string;
  /** The DuckDB file; rebuildable from the lake. */
  warehouseFile: string;
  storeDir: string;
};

/** The paths under a data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    lakeDir: path.join(dataDir, 'lake'),
    warehouseFile: path.join(dataDir, 'warehouse.duckdb'),
    storeDir: path.join(dataDir, 'store'),
  };
}
