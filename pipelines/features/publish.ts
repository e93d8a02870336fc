import type { StoreFiles } from '../../warehouse/store/open.ts';
import { ChecksFailedError, NothingBuiltError } from '../errors.ts';
import type { LoadDeps } from '../flights/load.ts';
import type { Progress, PublishReport } from '../types.ts';

export type PublishDeps = LoadDeps & {
  /** Makes the store current, on disk and in Redis, the pointer last; returns the version that serves its content. */
  saveStore: (store: StoreFiles) => Promise<string>;
};

/**
 * Publishes the marts of the last build; throws `ChecksFailedError` when an error check of that build failed, and
 * `NothingBuiltError` when none came to its end.
 */
export async function publishStore(
  { withWarehouse, now, saveStore }: PublishDeps,
  progress: Progress,
): Promise<PublishReport> {
  return withWarehouse(async (warehouse) => {
    const checks = await warehouse.lastChecks();
    const failing = checks.filter(({ severity, failures }) => severity === 'error' && failures > 0);
    if (checks.length === 0) throw new NothingBuiltError();
    if (failing.length > 0) throw new ChecksFailedError(failing.map(({ check }) => check));
    const store = await warehouse.exportStore(now());
    progress(1, 2, 'written');
    const version = await saveStore(store);
    progress(2, 2, version);
    const bytes = Object.values(store.manifest.tables).reduce((sum, table) => sum + table.bytes, 0);
    return { version, months: store.manifest.months, bytes };
  });
}
