import type { Redis } from 'ioredis';
import { buildFeatures } from '../../pipelines/features/build.ts';
import { publishStore } from '../../pipelines/features/publish.ts';
import { findModel } from '../../pipelines/model/released.ts';
import { findMonths } from '../../pipelines/flights/find-months.ts';
import { extractMonth } from '../../pipelines/flights/extract-month.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { loadDelayCauses, loadMonths } from '../../pipelines/flights/load.ts';
import { dropMonth, restoreMonth } from '../../pipelines/flights/undo.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { extractWeatherMonth } from '../../pipelines/weather/extract-month.ts';
import { refreshWeather } from '../../pipelines/weather/refresh.ts';
import type { Ledger } from '../../pipelines/ledger.ts';
import { recordedSteps, type RecordDeps } from '../../pipelines/recorded-steps.ts';
import type { ExtractRequest } from '../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { createExtractDeps, type MonthLock } from '../../warehouse/extract/extract.ts';
import { readManifests, soundManifest } from '../../warehouse/lake/lake.ts';
import { levelManifests, soundLevelManifest } from '../../warehouse/lake/level-lake.ts';
import { unitOf } from '../../warehouse/lake/shared/units.ts';
import { MONTH_VERSIONS_KEPT } from '../../warehouse/lake/place-month.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { copyForReaders } from '../../warehouse/build/read-copy.ts';
import { rebuildWarehouse } from '../../warehouse/build/rebuild.ts';
import { fileSha256 } from '../../warehouse/ground/sha256.ts';
import { readSnapshot } from '../../warehouse/snapshot.ts';
import { openStore, type StoreFiles } from '../../warehouse/store/open.ts';
import { withFlightOdds } from '../../warehouse/store/pack.ts';
import { saveStore } from '../../warehouse/store/publish.ts';
import { withWarehouse, type Warehouse } from '../../warehouse/build/warehouse.ts';
import { createSemaphore } from '../processes/semaphore.ts';
import { ledgerOf } from './ledger.ts';
import { withStoreLock } from '../processes/lock.ts';
import { openLakeHome, type LakeHomeConfig } from './lake-home.ts';
import { stepsAtHand } from './lake-steps.ts';
import { createUndo } from './undo-steps.ts';
import { createFindMonths } from './find-months-steps.ts';
import { createMonthFiles } from './month-steps.ts';
import { createNews, type NewsConfig } from './news-steps.ts';
import { createTraining, historyIn, type TrainApart } from './training-steps.ts';
import { createWeatherDeps, createWeatherMonthDeps, type WeatherConfig } from './weather-steps.ts';

export type StepsConfig = {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Written into every manifest, so that a month tells what made it. */
  codeVersion: string;
  /** Refuse every download. */
  offline: boolean;
  /** Versions kept of a month that is replaced or dropped. */
  keepVersions?: number;
  /** Where months that come out are looked for. */
  btsBaseUrl?: string;
  now?: () => Date;
} & Pick<LakeHomeConfig, 'lake' | 'replicas'> &
  WeatherConfig &
  NewsConfig;

/** DuckDB uses every core, and its memory limit, for one file already. */
const EXTRACTS_AT_ONCE = 1;

/** The copy of the ledger for SQL can wait for the next step. */
const LEDGER_PATIENCE_MS = 60_000;

export type StepsOptions = {
  trainApart?: TrainApart;
  /** Told, at once and every few seconds, which process has the warehouse that a step waits for. */
  waits?: (holder: string) => void;
};

/** The real pipeline on one data folder, its runs in the ledger; the store is published to this Redis. */
export function createSteps(
  config: StepsConfig,
  redis: Redis,
  { trainApart, waits }: StepsOptions = {},
): PipelineSteps {
  const { codeVersion } = config;
  const paths = dataPaths(config.dataDir);
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) =>
      withWarehouse(paths, work, { ...(waits && { waits }) }),
    now: config.now ?? (() => new Date()),
    saveStore: (store: StoreFiles) =>
      withStoreLock(paths, () => saveStore(paths.storeDir, redis, store)),
    releasedModel: () => findModel(paths.modelsDir),
    openStore,
    withFlightOdds,
  };
  const telling = tellingWaits(paths, waits);
  const home = openLakeHome(config, redis);
  const alone: MonthLock = (ref, work) => home.alone(unitOf(ref), work);
  const { keepVersions = MONTH_VERSIONS_KEPT } = config;
  const extractDeps = createExtractDeps({
    lakeDir: paths.lakeDir,
    codeVersion,
    keepVersions,
    alone,
    fetch: (refs) => home.fetch(refs.map(unitOf)),
    now: deps.now,
  });
  const findDeps = createFindMonths(
    paths,
    config.offline ? undefined : config.btsBaseUrl,
    deps.now,
  );
  const undoDeps = createUndo(paths, keepVersions, { ...deps, alone });
  const gate = createSemaphore(EXTRACTS_AT_ONCE);
  const monthDeps = {
    ...createMonthFiles(config, createHttpGet()),
    extracted: extractDeps.extracted,
    // Recorded like any other extract.
    extractFile: (request: ExtractRequest, progress: Progress) =>
      steps.extractFile(request, progress),
  };
  const weatherDeps = createWeatherDeps(config, redis);
  const weatherGate = createSemaphore(1);
  const weatherMonthDeps = createWeatherMonthDeps(
    config,
    { lakeDir: paths.lakeDir, codeVersion, now: deps.now, home },
    redis,
  );
  const plain: PipelineSteps = {
    extractFile: (request, progress) => gate(() => extractFile(request, extractDeps, progress)),
    extractMonth: (request, progress) => extractMonth(request, monthDeps, progress),
    findMonths: (progress) => findMonths(findDeps, progress),
    loadMonths: (months, progress) => loadMonths(months, telling(deps, progress), progress),
    loadDelayCauses: (months, progress) =>
      loadDelayCauses(months, telling(deps, progress), progress),
    restoreMonth: (request, progress) =>
      restoreMonth(request, telling(undoDeps, progress), progress),
    dropMonth: (ref, progress) => dropMonth(ref, telling(undoDeps, progress), progress),
    buildFeatures: (progress) => buildFeatures(telling(deps, progress), progress),
    ...createTraining(paths, codeVersion, home, trainApart),
    publishStore: (progress) => publishStore(telling(deps, progress), progress),
    rebuildWarehouse: (progress) => rebuildWarehouse(paths, deps.now, progress),
    extractWeatherMonth: (request, progress) =>
      weatherGate(() => extractWeatherMonth(request, weatherMonthDeps, progress)),
    loadWeatherMonth: (ref) => deps.withWarehouse((warehouse) => warehouse.loadWeatherMonth(ref)),
    refreshWeather: (progress) => refreshWeather(weatherDeps, progress),
    ...createNews(config, redis),
  };
  const ledger = ledgerOf(paths, codeVersion, home);
  const steps = recordedSteps(
    stepsAtHand(plain, home, deps.withWarehouse),
    recordDeps(paths, ledger),
  );
  return steps;
}

type OnWarehouse = {
  withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => Promise<T>;
};

/** Has whoever follows a job see what it waits for. */
function tellingWaits(paths: DataPaths, waits: StepsOptions['waits']) {
  return <D extends OnWarehouse>(given: D, progress: Progress): D => ({
    ...given,
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) =>
      withWarehouse(paths, work, {
        waits: (holder) => {
          progress(0, 1, `waiting: the warehouse is open in ${holder}`);
          waits?.(holder);
        },
      }),
  });
}

function recordDeps(paths: DataPaths, ledger: Ledger): RecordDeps {
  return {
    ledger,
    hashOf: (path) => fileSha256(path).catch(() => undefined),
    lakeMonths: () => readManifests(paths.lakeDir, soundManifest),
    levelMonths: () => levelManifests(paths.lakeDir, soundLevelManifest),
    lakeHistory: () => historyIn(paths),
    loadedMonths: () => readSnapshot(paths),
    loadRuns: () =>
      withWarehouse(paths, (warehouse) => warehouse.loadRuns(), { patienceMs: LEDGER_PATIENCE_MS }),
    copyForReaders: () => copyForReaders(paths),
  };
}
