import { stat } from 'node:fs/promises';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { planMonth } from '../../pipelines/flights/plan-month.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { soundManifest } from '../../warehouse/lake/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { fileSha256 } from '../../warehouse/sha256.ts';
import type { MonthPlanner } from '../cli/commands/backfill.ts';
import { downloadsDir, listFolder } from './month-steps.ts';

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
  };
  return (request) => planMonth(request, deps);
}
