import test from 'ava';
import { ChecksFailedError, NothingBuiltError } from '../../../pipelines/errors.ts';
import { publishStore } from '../../../pipelines/features/publish.ts';
import type { CheckResult } from '../../../pipelines/types.ts';
import type { StoreFiles } from '../../../warehouse/store/open.ts';
import type { Warehouse } from '../../../warehouse/warehouse.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

function depsWith(checks: CheckResult[], files: StoreFiles) {
  const saved: string[] = [];
  const warehouse = {
    lastChecks: async () => checks,
    exportStore: async () => files,
  } as Partial<Warehouse> as Warehouse;
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => work(warehouse),
    now: () => new Date('2026-11-01T02:30:00Z'),
    saveStore: async ({ manifest }: StoreFiles) => {
      saved.push(manifest.version);
      return manifest.version;
    },
  };
  return { deps, saved };
}

test('a build whose checks pass is published', async (t) => {
  const files = await someStoreFiles(t);
  const { deps, saved } = depsWith(
    [
      { check: 'history_present', severity: 'error', failures: 0 },
      { check: 'month_volume', severity: 'warn', failures: 2 },
    ],
    files,
  );
  const report = await publishStore(deps, () => undefined);
  t.deepEqual(saved, [files.manifest.version]);
  t.like(report, { version: files.manifest.version, months: ['2018-07'] });
});

test('a failing error check stops the publish and is named', async (t) => {
  const { deps, saved } = depsWith(
    [
      { check: 'congestion_range', severity: 'error', failures: 3 },
      { check: 'history_present', severity: 'error', failures: 0 },
    ],
    await someStoreFiles(t),
  );
  await t.throwsAsync(
    publishStore(deps, () => undefined),
    {
      instanceOf: ChecksFailedError,
      message: 'not published: failing checks: congestion_range',
    },
  );
  t.deepEqual(saved, []);
});

test('before the first build there is nothing to publish', async (t) => {
  const { deps } = depsWith([], await someStoreFiles(t));
  await t.throwsAsync(
    publishStore(deps, () => undefined),
    { instanceOf: NothingBuiltError, message: /make features builds it/ },
  );
});
