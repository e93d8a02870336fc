import test from 'ava';
import {
  buildProviders,
  exportProviders,
  type ProviderDeps,
} from '../../../pipelines/features/provider-records.ts';
import type { CheckResult } from '../../../warehouse/build/reports.ts';
import type { Warehouse } from '../../../warehouse/build/warehouse.ts';
import { withParts } from '../../../warehouse/store/parts.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

const PASSED: CheckResult = { check: 'history_present', severity: 'error', failures: 0 };
const FAILED: CheckResult = { ...PASSED, failures: 2 };
const WARNED: CheckResult = { check: 'month_volume', severity: 'warn', failures: 1 };
const UNMEASURED = { state: 'unmeasured' as const, why: 'too few flights' };
const now = () => new Date('2026-11-01T02:30:00Z');

/** Creates providers whose checks have these results. A provider without results cannot be opened. */
async function depsWith(checks: Record<string, CheckResult[] | undefined>): Promise<ProviderDeps> {
  const files = await someStoreFiles();
  return {
    withParts,
    accuracyOf: async (provider) => (provider === 'hkia' ? UNMEASURED : undefined),
    listProviders: async () => Object.keys(checks),
    withProviderWarehouse: async (provider, work) => {
      const results = checks[provider];
      if (results === undefined) throw new Error('the file is damaged');
      return work({
        catchUp: async () => ({ loaded: 0, unloaded: 0 }),
        loadReference: async () => false,
        buildModels: async () => ({}),
        runChecks: async () => results,
        readLastChecks: async () => results,
        exportStore: async () => ({ ...files, manifest: { ...files.manifest, provider } }),
      } as Partial<Warehouse> as Warehouse);
    },
  };
}

test('an error in the record of one provider is a failing check of that provider', async (t) => {
  const deps = await depsWith({ bitre: undefined, hkia: [PASSED, WARNED], zrh: [FAILED] });
  t.deepEqual(await buildProviders(deps, now, () => undefined), {
    bitre: [{ check: 'build', severity: 'error', failures: 1, problem: 'the file is damaged' }],
    hkia: [WARNED],
    zrh: [FAILED],
  });
  t.is(await buildProviders(await depsWith({}), now, () => undefined), undefined);
});

test('records that failed, are not built or cannot be read are left out; the others are published with their accuracy', async (t) => {
  const deps = await depsWith({
    anac: [],
    bitre: undefined,
    hkia: [PASSED, WARNED],
    zrh: [FAILED],
  });
  const { stores, leftOut } = await exportProviders(deps, {
    now,
    addFlightOdds: async (store) => store,
  });
  t.deepEqual(
    stores.map(({ store, attribution, accuracy }) => [
      store.manifest.provider,
      attribution,
      accuracy,
    ]),
    [['hkia', 'Hong Kong International Airport, by DATA.GOV.HK', UNMEASURED]],
  );
  t.deepEqual(leftOut, ['anac', 'bitre', 'zrh']);
});
