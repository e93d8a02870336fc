import test from 'ava';
import { ChecksFailedError, NothingBuiltError } from '../../../pipelines/errors.ts';
import { flightOddsRows, type FlightOddsRow } from '../../../pipelines/features/flight-odds.ts';
import { publishStore, type PublishDeps } from '../../../pipelines/features/publish.ts';
import type { CheckResult } from '../../../warehouse/build/reports.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { withFlightOdds } from '../../../warehouse/store/pack.ts';
import type { Warehouse } from '../../../warehouse/build/warehouse.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

type ModelLookup = Awaited<ReturnType<PublishDeps['releasedModel']>>;

function depsWith(checks: CheckResult[], files: StoreFiles, lookup: ModelLookup = {}) {
  const saved: string[] = [];
  const warehouse = {
    readLastChecks: async () => checks,
    exportStore: async (_now, model) => (model ? withModel(files, model) : files),
  } as Partial<Warehouse> as Warehouse;
  const deps = {
    withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => work(warehouse),
    now: () => new Date('2026-11-01T02:30:00Z'),
    releasedModel: async () => lookup,
    openStore,
    withFlightOdds: (store: StoreFiles, rows: FlightOddsRow[]) => withFlightOdds(store, rows),
    saveStore: async ({ manifest }: StoreFiles) => {
      saved.push(manifest.version);
      return manifest.version;
    },
  };
  return { deps, saved };
}

/** The store as published: with the odds of its airline-routes. */
async function withOdds(files: StoreFiles): Promise<StoreFiles> {
  return withFlightOdds(files, await flightOddsRows(openStore(files)));
}

test('a build whose checks pass is published', async (t) => {
  const files = await someStoreFiles();
  const { deps, saved } = depsWith(
    [
      { check: 'history_present', severity: 'error', failures: 0 },
      { check: 'month_volume', severity: 'warn', failures: 2 },
    ],
    files,
  );
  const report = await publishStore(deps, () => undefined);
  const { version } = (await withOdds(files)).manifest;
  t.deepEqual(saved, [version]);
  t.like(report, { version, months: ['2018-07'] });
});

test('the released model is published with the marts, and the report names it', async (t) => {
  const passing: CheckResult[] = [{ check: 'history_present', severity: 'error', failures: 0 }];
  const bytes = Buffer.from('a model');
  const model = { version: 'abc', bytes, contract: 'c' };
  const files = await someStoreFiles();
  const { deps, saved } = depsWith(passing, files, { model, refused: 'old: too old' });
  const report = await publishStore(deps, () => undefined);
  t.deepEqual(saved, [(await withOdds(withModel(files, model))).manifest.version]);
  t.like(report, { model: 'abc', modelRefused: 'old: too old' });
  const tables = [...(await withOdds(files)).files.values()].reduce(
    (sum, file) => sum + file.length,
    0,
  );
  t.is(report.bytes, tables + bytes.length);
});

test('a failing error check stops the publish and is named', async (t) => {
  const { deps, saved } = depsWith(
    [
      { check: 'congestion_range', severity: 'error', failures: 3 },
      { check: 'history_present', severity: 'error', failures: 0 },
    ],
    await someStoreFiles(),
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
  const { deps } = depsWith([], await someStoreFiles());
  await t.throwsAsync(
    publishStore(deps, () => undefined),
    { instanceOf: NothingBuiltError, message: /the features are not built yet; run make features/ },
  );
});
