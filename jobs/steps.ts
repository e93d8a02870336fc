import type { Redis } from 'ioredis';
import { buildFeatures } from '../pipelines/features/build.ts';
import { publishStore } from '../pipelines/features/publish.ts';
import { extractFile } from '../pipelines/flights/ingest.ts';
import { loadMonths } from '../pipelines/flights/load.ts';
import { recordedSteps, type RecordDeps } from '../pipelines/recorded-steps.ts';
import type { PipelineSteps } from '../pipelines/types.ts';
import { createExtractDeps } from '../warehouse/extract.ts';
import { readManifests } from '../warehouse/lake.ts';
import { dataPaths, type DataPaths } from '../warehouse/paths.ts';
import { rebuildWarehouse } from '../warehouse/rebuild.ts';
import { fileSha256 } from '../warehouse/sha256.ts';
import { readSnapshot } from '../warehouse/snapshot.ts';
import type { StoreFiles } from '../warehouse/store/open.ts';
import { saveStore } from '../warehouse/store/publish.ts';
import { withWarehouse, type Warehouse } from '../warehouse/warehouse.ts';
import { ledgerOf } from './ledger.ts';
import { withStoreLock } from './lock.ts';

export type StepsConfig = {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Written into every manifest, so that a month tells what made it. */
  codeVersion: string;
};

/** The real pipeline on one data folder, its runs in the ledger; the store is published to this Redis. */
export function createSteps({ dataDir, codeVersion }: StepsConfig, redis: Redis): PipelineSteps {
  const paths = dataPaths(dataDir);
  const extractDeps = createExtractDeps({ lakeDir: paths.lakeDir, codeVersion });
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
    now: () => new Date(),
    saveStore: (store: StoreFiles) =>
      withStoreLock(paths, () => saveStore(paths.storeDir, redis, store)),
  };
  const steps: PipelineSteps = {
    extractFile: (request, progress) => extractFile(request, extractDeps, progress),
    loadMonths: (months, progress) => loadMonths(months, deps, progress),
    buildFeatures: (progress) => buildFeatures(deps, progress),
    publishStore: (progress) => publishStore(deps, progress),
    rebuildWarehouse: (progress) => rebuildWarehouse(paths, deps.now, progress),
  };
  return recordedSteps(steps, recordDeps(paths, codeVersion));
}

function recordDeps(paths: DataPaths, codeVersion: string): RecordDeps {
  return {
    ledger: ledgerOf(paths, codeVersion),
    hashOf: (path) => fileSha256(path).catch(() => undefined),
    lakeMonths: () => readManifests(paths.lakeDir),
    loadedMonths: () => readSnapshot(paths),
    loadRuns: () => withWarehouse(paths, (warehouse) => warehouse.loadRuns()),
  };
}
