import { stat } from 'node:fs/promises';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import type { ExtractReport, ExtractRequest } from '../../pipelines/flights/types.ts';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';
import type { Month } from '../../pipelines/flights/months.ts';
import { planMonth, type MonthPlan } from '../../pipelines/flights/plan-month.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { heldExtent } from '../../warehouse/extract/replacement.ts';
import { soundManifest } from '../../warehouse/lake/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { fileSha256 } from '../../warehouse/ground/sha256.ts';
import { downloadsDir, listFolder } from './month-steps.ts';

/** Says what would be done with one month; made for the data folder by main.ts. */
export type MonthPlanner = (request: {
  month: Month;
  source: MonthSource;
  force: boolean;
}) => Promise<MonthPlan>;

/** Says what would become of the months of a file in a data folder; writes nothing. */
export function createFileTrier({
  dataDir,
  codeVersion,
}: {
  dataDir: string;
  codeVersion: string;
}): (request: ExtractRequest) => Promise<ExtractReport> {
  const deps = createExtractDeps({ lakeDir: dataPaths(dataDir).lakeDir, codeVersion });
  return (request) => extractFile({ ...request, dryRun: true }, deps, () => undefined);
}

/** Plans months against the lake and the downloads of a data folder; only reads. */
export function createMonthPlanner(config: { dataDir: string; codeVersion: string }): MonthPlanner {
  const { lakeDir } = dataPaths(config.dataDir);
  const { extracted } = createExtractDeps({ lakeDir, codeVersion: config.codeVersion });
  const deps = {
    get: createHttpGet(),
    listFolder,
    sha256: fileSha256,
    extracted,
    saved: (name: string) => downloadPlace(downloadsDir(config.dataDir), name).saved(),
    manifest: (month: string) => soundManifest(lakeDir, month),
    sizeOf: async (file: string) => (await stat(file)).size,
    tryFile: createFileTrier(config),
    extent: (month: Month) => heldExtent(lakeDir, { month, tree: 'flights' }),
  };
  return (request) => planMonth(request, deps);
}
