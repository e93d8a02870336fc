import { stat } from 'node:fs/promises';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import type { ExtractReport, ExtractRequest } from '../../pipelines/flights/types.ts';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';
import type { Month } from '../../pipelines/flights/months.ts';
import { planMonth, type MonthPlan, type PlanDeps } from '../../pipelines/flights/plan-month.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { JSON_TABLES } from '../../pipelines/providers/index.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { readLakeExtent } from '../../warehouse/extract/replacement.ts';
import { readValidManifest } from '../../warehouse/lake/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { downloadsDir, listFolder } from './month-steps.ts';

/** Returns what a backfill would do with one month. */
export type MonthPlanner = (request: {
  month: Month;
  source: MonthSource;
  force: boolean;
}) => Promise<MonthPlan>;

/** Creates a dry run of ingesting a file: reports what would happen to its months and writes nothing. */
export function createFileDryRun({
  dataDir,
  codeVersion,
}: {
  dataDir: string;
  codeVersion: string;
}): (request: ExtractRequest) => Promise<ExtractReport> {
  const { lakeDir } = dataPaths(dataDir);
  const deps = createExtractDeps({ lakeDir, codeVersion, jsonTables: JSON_TABLES });
  return (request) => extractFile({ ...request, dryRun: true }, deps, () => undefined);
}

/**
 * Creates a planner that compares months with the lake and the downloads of a data folder. The planner writes nothing.
 */
export function createMonthPlanner(config: { dataDir: string; codeVersion: string }): MonthPlanner {
  const { lakeDir } = dataPaths(config.dataDir);
  const { findExtracted } = createExtractDeps({ lakeDir, codeVersion: config.codeVersion });
  const deps: PlanDeps = {
    get: createHttpGet(),
    listFolder,
    sha256: fileSha256,
    findExtracted,
    findDownload: (name) => downloadPlace(downloadsDir(config.dataDir), name).readSaved(),
    readManifest: (month) => readValidManifest(lakeDir, month),
    sizeOf: async (file) => (await stat(file)).size,
    dryRunFile: createFileDryRun(config),
    readExtent: (month) => readLakeExtent(lakeDir, { month, tree: 'flights' }),
  };
  return (request) => planMonth(request, deps);
}
