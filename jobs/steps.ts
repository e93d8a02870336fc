import type { Redis } from 'ioredis';
import { buildFeatures } from '../pipelines/features/build.ts';
import { publishStore } from '../pipelines/features/publish.ts';
import { extractMonth } from '../pipelines/flights/extract-month.ts';
import { extractFile } from '../pipelines/flights/ingest.ts';
import { loadMonths } from '../pipelines/flights/load.ts';
import { createHttpGet } from '../pipelines/http-get.ts';
import type { PipelineSteps } from '../pipelines/types.ts';
import { createExtractDeps } from '../warehouse/extract.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { saveStore } from '../warehouse/store/publish.ts';
import { withWarehouse, type Warehouse } from '../warehouse/warehouse.ts';
import { createGate } from './gate.ts';
import { createMonthFiles } from './month-steps.ts';

export type StepsConfig = {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Written into every manifest, so that a month tells what made it. */
  codeVersion: string;
  /** Refuse every download. */
  offline: boolean;
};

/** DuckDB uses every core, and its memory limit, for one file already. */
const EXTRACTS_AT_ONCE = 1;

/** The real pipeline on one data folder; the store is published to this Redis. */
export function createSteps(config: StepsConfig, redis: Redis): PipelineSteps {
  const { dataDir, codeVersion } = config;
  const paths = dataPaths(dataDir);
  const extractDeps = createExtractDeps({ lakeDir: paths.lakeDir, codeVersion });
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
    now: () => new Date(),
    saveStore: (store: Parameters<typeof saveStore>[2]) => saveStore(paths.storeDir, redis, store),
  };
  const gate = createGate(EXTRACTS_AT_ONCE);
  const steps: Pick<PipelineSteps, 'extractFile'> = {
    extractFile: (request, progress) => gate(() => extractFile(request, extractDeps, progress)),
  };
  const monthDeps = {
    ...createMonthFiles(config, createHttpGet()),
    extracted: extractDeps.extracted,
    extractFile: steps.extractFile,
  };
  return {
    ...steps,
    extractMonth: (request, progress) => extractMonth(request, monthDeps, progress),
    loadMonths: (months, progress) => loadMonths(months, deps, progress),
    buildFeatures: (progress) => buildFeatures(deps, progress),
    publishStore: (progress) => publishStore(deps, progress),
  };
}
