import type { LoadDeps } from '../flights/load.ts';
import type { BuildReport, CheckResult } from '../../warehouse/build/reports.ts';
import { buildProviders, type ProviderDeps } from './provider-records.ts';
import type { Progress } from '../../warehouse/progress.ts';

/** Rebuilds the marts from the loaded months and runs the checks; failing checks are reported, not thrown. */
export async function buildFeatures(
  { withWarehouse, now, others }: LoadDeps & { others?: ProviderDeps },
  progress: Progress,
): Promise<BuildReport> {
  const report = await withWarehouse(async (warehouse) => {
    await warehouse.loadReference(now());
    const rows = await warehouse.buildModels(progress);
    const checks = await warehouse.runChecks(now());
    return { rows, checks, conflicts: await warehouse.readLevelConflicts() };
  });
  const providers = others && (await buildProviders(others, now, progress));
  return { ...report, ...(providers && { providers }) };
}

/**
 * Returns the checks of severity `error` that found rows. Training and publishing stop until a later build passes these
 * checks.
 */
export function failingChecks(checks: CheckResult[]): CheckResult[] {
  return checks.filter(({ severity, failures }) => severity === 'error' && failures > 0);
}
