import path from 'node:path';
import { listNames } from './ground/files.ts';

/** Files and folders under DATA_DIR. */
export type DataPaths = {
  lakeDir: string;
  /** The ledger: a file per run. */
  runsDir: string;
  /** The DuckDB file, which can be rebuilt from the lake. */
  warehouseFile: string;
  /** A copy of the DuckDB file, made at each publish. Tools can open it without blocking jobs. */
  readFile: string;
  /** A list of the months in the DuckDB file, for processes that cannot open the DuckDB file. */
  snapshotFile: string;
  /**
   * The file with the measured accuracy of forecasts from a record. The next publish reads it. The American record has
   * no such file.
   */
  accuracyFile: string;
  storeDir: string;
  /** Released models by version, and the name of the current one. */
  modelsDir: string;
  /** Figures and pages of backtests. */
  backtestsDir: string;
  /** Folder of a user's SQL models and checks; absent if there are none. */
  userSqlDir?: string | undefined;
  /** The lock for moving the pointer of the store or changing the models. */
  storeLock: string;
  /** The archive of the API keys, without secrets. */
  archiveFile: string;
};

/** The provider of the American record. Its months are not in a folder named after a provider. */
export const HOME_PROVIDER = 'bts';

/** Returns the folder of a provider within a lake. Each provider's months have their own folder. */
export function providerLakeDir(lakeDir: string, provider: string): string {
  return provider === HOME_PROVIDER ? lakeDir : path.join(lakeDir, 'providers', provider);
}

/** Returns the paths of a provider: its folder in the lake, and its own warehouse. */
export function providerPaths(paths: DataPaths, provider: string): DataPaths {
  if (provider === HOME_PROVIDER) return paths;
  const folder = path.join(path.dirname(paths.warehouseFile), 'providers', provider);
  return {
    ...paths,
    lakeDir: providerLakeDir(paths.lakeDir, provider),
    warehouseFile: path.join(folder, 'warehouse.duckdb'),
    readFile: path.join(folder, 'warehouse-read.duckdb'),
    snapshotFile: path.join(folder, 'warehouse.json'),
    accuracyFile: path.join(folder, 'accuracy.json'),
    // A user's SQL reads the tables of the American record only.
    userSqlDir: undefined,
  };
}

/** Lists the providers that have a folder in the lake, without the provider of the American record. */
export async function listLakeProviders(lakeDir: string): Promise<string[]> {
  return (await listNames(path.join(lakeDir, 'providers'))).toSorted();
}

/** Returns the paths under a data folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    lakeDir: path.join(dataDir, 'lake'),
    runsDir: path.join(dataDir, 'lake', 'runs'),
    warehouseFile: path.join(dataDir, 'warehouse.duckdb'),
    readFile: path.join(dataDir, 'warehouse-read.duckdb'),
    snapshotFile: path.join(dataDir, 'warehouse.json'),
    accuracyFile: path.join(dataDir, 'accuracy.json'),
    storeDir: path.join(dataDir, 'store'),
    modelsDir: path.join(dataDir, 'models'),
    backtestsDir: path.join(dataDir, 'backtests'),
    storeLock: path.join(dataDir, 'store.lock'),
    archiveFile: path.join(dataDir, 'archive', 'keys.jsonl'),
  };
}
