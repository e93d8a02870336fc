import { buildEach } from '../../pipelines/features/provider-records.ts';
import type { RebuildReport } from '../../warehouse/build/reports.ts';
import { rebuildWarehouse } from '../../warehouse/build/rebuild.ts';
import { listLakeProviders, providerPaths, type DataPaths } from '../../warehouse/paths.ts';
import type { Progress } from '../../warehouse/progress.ts';

/**
 * Creates the step that rebuilds the main warehouse and the warehouses of the other providers from the lake. If the
 * warehouse of a provider is not built, the next publish leaves out this provider.
 */
export function createRebuild(
  paths: DataPaths,
  now: () => Date,
): (progress: Progress) => Promise<RebuildReport> {
  return async (progress) => {
    const report = await rebuildWarehouse(paths, now, progress);
    const providers = await buildEach(
      await listLakeProviders(paths.lakeDir),
      (provider) => rebuildWarehouse(providerPaths(paths, provider), now, () => undefined),
      progress,
    );
    return { ...report, ...(providers && { providers }) };
  };
}
