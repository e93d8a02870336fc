import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { buildFeatures } from '../../pipelines/features/build.ts';
import type { ProviderDeps } from '../../pipelines/features/provider-records.ts';
import { publishStore } from '../../pipelines/features/publish.ts';
import { findModel } from '../../pipelines/model/released-model.ts';
import { findMonths } from '../../pipelines/flights/find-months.ts';
import { extractMonth, type ExtractMonthDeps } from '../../pipelines/flights/extract-month.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import type { MonthServer } from '../../pipelines/flights/month-source.ts';
import type { BtsTable } from '../../pipelines/flights/months.ts';
import { loadDelayCauses, loadMonths } from '../../pipelines/flights/load.ts';
import { dropMonth, restoreMonth } from '../../pipelines/flights/undo.ts';
import { JSON_TABLES } from '../../pipelines/providers/index.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { extractWeatherMonth } from '../../pipelines/weather/extract-month.ts';
import { refreshWeather } from '../../pipelines/weather/refresh.ts';
import type { Ledger } from '../../pipelines/ledger.ts';
import { recordSteps, type RecordDeps } from '../../pipelines/recorded-steps.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { createExtractDeps, type MonthLock } from '../../warehouse/extract/extract.ts';
import { readManifests, readValidManifest } from '../../warehouse/lake/lake.ts';
import { readLevelManifests, readValidLevelManifest } from '../../warehouse/lake/level-lake.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import { unitOf } from '../../warehouse/lake/shared/units.ts';
import { MAX_MONTH_VERSIONS } from '../../warehouse/lake/place-month.ts';
import {
  dataPaths,
  HOME_PROVIDER,
  listLakeProviders,
  providerLakeDir,
  providerPaths,
  type DataPaths,
} from '../../warehouse/paths.ts';
import { copyForReaders } from '../../warehouse/build/read-copy.ts';
import type { Retention } from '../../warehouse/ground/retention.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { readSnapshot } from '../../warehouse/snapshot.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { withFlightOdds } from '../../warehouse/store/pack.ts';
import { withParts } from '../../warehouse/store/parts.ts';
import { saveStore } from '../../warehouse/store/publish.ts';
import { withWarehouse, type Warehouse } from '../../warehouse/build/warehouse.ts';
import { createLedger } from './ledger.ts';
import { withStoreLock } from '../processes/lock.ts';
import { openLakeHome, unitLock, type LakeHomeConfig } from './lake-home.ts';
import { withLakeSync } from './lake-steps.ts';
import { createRebuild } from './rebuild-steps.ts';
import { createUndo } from './undo-steps.ts';
import { createFindMonths } from './find-months-steps.ts';
import { createMonthFiles } from './month-steps.ts';
import { createProviderSearch } from './provider-search-steps.ts';
import { createNews, type NewsConfig } from './news-steps.ts';
import {
  createRecordMeasurement,
  readAccuracy,
  type RunMeasurement,
} from './record-accuracy-steps.ts';
import { createTraining, readLakeHistory, type RunTraining } from './training-steps.ts';
import { createWeatherDeps, createWeatherMonthDeps, type WeatherConfig } from './weather-steps.ts';

export type StepsConfig = {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Written into every manifest, to show which version of the code wrote a month. */
  codeVersion: string;
  /** Whether every download is refused. */
  offline: boolean;
  /** Number of former versions to store for a month that is replaced or dropped. */
  keepVersions?: number;
  /** Which former stores and models to keep. */
  retention?: Retention;
  /** Folder of a user's SQL models and checks. */
  userSqlDir?: string | undefined;
  /** Address of the server that is searched for new months. `btsTable` is the table that is searched. */
  btsBaseUrl?: string;
  btsTable?: BtsTable;
  /** Addresses of other providers, by name. */
  providerUrls?: Readonly<Record<string, string>>;
  now?: () => Date;
} & Pick<LakeHomeConfig, 'lake' | 'replicas'> &
  WeatherConfig &
  NewsConfig;

/** Number of extracts at a time, because one extract already uses every core and the whole memory limit of DuckDB. */
const EXTRACTS_AT_ONCE = 1;

/**
 * Longest wait for the warehouse when the ledger is copied into it, so that SQL can read the ledger. If the wait takes
 * longer, the next step makes the copy.
 */
const LEDGER_PATIENCE_MS = 60_000;

export type StepsOptions = {
  runTraining?: RunTraining;
  runMeasurement?: RunMeasurement;
  /**
   * Called at once and then every few seconds while a step waits. `holder` is the process that has the warehouse open.
   */
  onWait?: (holder: string) => void;
};

/** Returns the server to search for new months; undefined if downloads are forbidden. */
function findServer({ offline, btsBaseUrl, btsTable }: StepsConfig): MonthServer | undefined {
  if (offline || btsBaseUrl === undefined) return undefined;
  return { base: btsBaseUrl, ...(btsTable && { table: btsTable }) };
}

/** Creates the pipeline steps of a data folder. The steps write their runs to the ledger and publish to this Redis. */
export function createSteps(
  config: StepsConfig,
  redis: Redis,
  { runTraining, runMeasurement, onWait }: StepsOptions = {},
): PipelineSteps {
  const { codeVersion } = config;
  const paths = { ...dataPaths(config.dataDir), userSqlDir: config.userSqlDir };
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) =>
      withWarehouse(paths, work, { ...(onWait && { onWait }) }),
    now: config.now ?? (() => new Date()),
    saveStore: (store: StoreFiles) =>
      withStoreLock(paths, () => saveStore(paths.storeDir, redis, store, config.retention)),
    releasedModel: () => findModel(paths.modelsDir),
    openStore,
    withFlightOdds,
    others: createProviderDeps(paths, onWait),
  };
  const withReports = withWaitReports(paths, onWait);
  const home = openLakeHome(config, redis);
  const withMonthLock = createMonthLock(paths, home);
  const { keepVersions = MAX_MONTH_VERSIONS } = config;
  const extractDeps = createExtractDeps({
    lakeDir: paths.lakeDir,
    codeVersion,
    keepVersions,
    jsonTables: JSON_TABLES,
    withMonthLock,
    fetch: (refs) => home.fetch(refs.map(unitOf)),
    now: deps.now,
  });
  const findDeps = createFindMonths(paths, findServer(config), deps.now);
  const undoDeps = createUndo(paths, keepVersions, { ...deps, withMonthLock });
  const gate = pLimit(EXTRACTS_AT_ONCE);
  const monthDeps: ExtractMonthDeps = {
    ...createMonthFiles(config, createHttpGet()),
    findExtracted: extractDeps.findExtracted,
    // `steps.extractFile` also records the extract in the ledger.
    extractFile: (request, progress) => steps.extractFile(request, progress),
  };
  const weatherDeps = createWeatherDeps(config, redis);
  const weatherGate = pLimit(1);
  const weatherMonthDeps = createWeatherMonthDeps(
    config,
    { lakeDir: paths.lakeDir, codeVersion, now: deps.now, home },
    redis,
  );
  const loadDeps = (progress: Progress, provider = HOME_PROVIDER) =>
    provider === HOME_PROVIDER ? withReports(deps, progress) : toLoadDeps(deps.others, provider);
  const bareSteps: PipelineSteps = {
    extractFile: (request, progress) => gate(() => extractFile(request, extractDeps, progress)),
    extractMonth: (request, progress) => extractMonth(request, monthDeps, progress),
    findMonths: (progress) => findMonths(findDeps, progress),
    ...createProviderSearch({ ...config, now: deps.now }, extractDeps),
    loadMonths: (months, progress, provider) =>
      loadMonths(months, loadDeps(progress, provider), progress),
    loadDelayCauses: (months, progress) =>
      loadDelayCauses(months, withReports(deps, progress), progress),
    restoreMonth: (request, progress) =>
      restoreMonth(request, { ...undoDeps, ...loadDeps(progress, request.provider) }, progress),
    dropMonth: (ref, progress) =>
      dropMonth(ref, { ...undoDeps, ...loadDeps(progress, ref.provider) }, progress),
    buildFeatures: (progress) => buildFeatures(withReports(deps, progress), progress),
    ...createRecordMeasurement({ paths, codeVersion }, runMeasurement),
    ...createTraining({ paths, codeVersion, retention: config.retention }, home, runTraining),
    publishStore: (progress) => publishStore(withReports(deps, progress), progress),
    rebuildWarehouse: createRebuild(paths, deps.now),
    extractWeatherMonth: (request, progress) =>
      weatherGate(() => extractWeatherMonth(request, weatherMonthDeps, progress)),
    loadWeatherMonth: (ref) => deps.withWarehouse((warehouse) => warehouse.loadWeatherMonth(ref)),
    refreshWeather: (progress) => refreshWeather(weatherDeps, progress),
    ...createNews(config, redis),
  };
  const steps = recordSteps(
    withLakeSync(bareSteps, home, deps.withWarehouse),
    recordDeps(paths, createLedger(paths, codeVersion, home)),
  );
  return steps;
}

/** Creates the lock of months. The months of other providers are on this machine only, even if the lake is shared. */
function createMonthLock({ lakeDir }: DataPaths, home: LakeHome): MonthLock {
  return ({ provider, ...ref }, work) => {
    if (provider === undefined) return home.withUnitLock(unitOf(ref), work);
    return unitLock({ lakeDir: providerLakeDir(lakeDir, provider) })(unitOf(ref), work);
  };
}

type WarehouseDeps = {
  withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => Promise<T>;
};

/** Access to the warehouses of other providers. */
function createProviderDeps(paths: DataPaths, onWait: StepsOptions['onWait']): ProviderDeps {
  return {
    withParts,
    accuracyOf: (provider) => readAccuracy(providerPaths(paths, provider)),
    listProviders: () => listLakeProviders(paths.lakeDir),
    withProviderWarehouse: (provider, work) =>
      withWarehouse(providerPaths(paths, provider), work, { ...(onWait && { onWait }) }),
  };
}

function toLoadDeps({ withProviderWarehouse }: ProviderDeps, provider: string) {
  return {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) =>
      withProviderWarehouse(provider, work),
  };
}

/** While a step waits because another process has the warehouse open, reports this process as progress of the job. */
function withWaitReports(paths: DataPaths, onWait: StepsOptions['onWait']) {
  return <D extends WarehouseDeps>(deps: D, progress: Progress): D => ({
    ...deps,
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) =>
      withWarehouse(paths, work, {
        onWait: (holder) => {
          progress(0, 1, `waiting: the warehouse is open in ${holder}`);
          onWait?.(holder);
        },
      }),
  });
}

function recordDeps(paths: DataPaths, ledger: Ledger): RecordDeps {
  return {
    ledger,
    hashOf: (path) => fileSha256(path).catch(() => undefined),
    lakeMonths: (provider = HOME_PROVIDER) =>
      readManifests(providerLakeDir(paths.lakeDir, provider), readValidManifest),
    levelMonths: () => readLevelManifests(paths.lakeDir, readValidLevelManifest),
    lakeHistory: () => readLakeHistory(paths),
    loadedMonths: () => readSnapshot(paths),
    loadRuns: () =>
      withWarehouse(paths, (warehouse) => warehouse.loadRuns(), { maxWaitMs: LEDGER_PATIENCE_MS }),
    copyForReaders: () => copyForReaders(paths),
  };
}
