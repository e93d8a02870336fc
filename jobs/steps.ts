import type { Redis } from 'ioredis';
import { buildFeatures } from '../pipelines/features/build.ts';
import { publishStore } from '../pipelines/features/publish.ts';
import { extractFile } from '../pipelines/flights/ingest.ts';
import { loadMonths } from '../pipelines/flights/load.ts';
import type { PipelineSteps } from '../pipelines/types.ts';
import { createExtractDeps } from '../warehouse/extract.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { saveStore } from '../warehouse/store/publish.ts';
import { withWarehouse, type Warehouse } from '../warehouse/warehouse.ts';

export type StepsConfig = {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Written into every manifest, so that a month tells what made it. */
  codeVersion: string;
};

/** The real pipeline on one data folder; the store is published to this Redis. */
export function createSteps({ dataDir, codeVersion }: StepsConfig, redis: Redis): PipelineSteps {
  const paths = dataPaths(dataDir);
  const extractDeps = createExtractDeps({ lakeDir: paths.lakeDir, codeVersion });
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
    now: () => new Date(),
    saveStore: (store: Parameters<typeof saveStore>[2]) => saveStore(paths.storeDir, redis, store),
  };
  return {
    extractFile: (request, progress) => extractFile(request, extractDeps, progress),
    loadMonths: (months, progress) => loadMonths(months, deps, progress),
    buildFeatures: (progress) => buildFeatures(deps, progress),
    publishStore: (progress) => publishStore(deps, progress),
  };
}
