import type { RecordAccuracy } from '../../models/record-accuracy.ts';
import type { CheckResult } from '../../warehouse/build/reports.ts';
import type { Warehouse } from '../../warehouse/build/warehouse.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { ProviderStore } from '../../warehouse/store/parts.ts';
import { PROVIDERS } from '../providers/index.ts';

/** Access to the warehouses of the providers other than BTS. Each provider has its own warehouse. */
export type ProviderDeps = {
  /** Names of the providers with months in the lake. */
  listProviders: () => Promise<string[]>;
  withProviderWarehouse: <T>(
    provider: string,
    work: (warehouse: Warehouse) => Promise<T>,
  ) => Promise<T>;
  /** Returns the newest measured accuracy of a provider's record; undefined if it was never measured. */
  accuracyOf: (provider: string) => Promise<RecordAccuracy | undefined>;
  /** Returns the store with the records of other providers added. */
  withParts: (store: ProviderStore['store'], parts: ProviderStore[]) => ProviderStore['store'];
};

/** Failing checks by provider; undefined if there are no other providers. */
type ProviderFindings = Record<string, CheckResult[]> | undefined;

/**
 * Loads and builds the record of each other provider. Returns the failing checks by provider; undefined if there are no
 * other providers. If a record causes an error, the function returns this error as a failing check and continues with
 * the next record.
 */
export async function buildProviders(
  {
    listProviders,
    withProviderWarehouse,
  }: Pick<ProviderDeps, 'listProviders' | 'withProviderWarehouse'>,
  now: () => Date,
  progress: Progress,
): Promise<ProviderFindings> {
  const build = (provider: string) =>
    withProviderWarehouse(provider, async (warehouse) => {
      await warehouse.catchUp(async () => undefined);
      await warehouse.loadReference(now());
      await warehouse.buildModels(() => undefined);
      return { checks: await warehouse.runChecks(now()) };
    });
  return buildEach(await listProviders(), build, progress);
}

/** Builds each provider. Returns the failing checks by provider; undefined if there are no providers. */
export async function buildEach(
  providers: readonly string[],
  build: (provider: string) => Promise<{ checks: CheckResult[] }>,
  progress: Progress,
): Promise<ProviderFindings> {
  const failing: Record<string, CheckResult[]> = {};
  for (const [at, provider] of providers.entries()) {
    failing[provider] = await build(provider).then(
      ({ checks }) => checks.filter(({ failures }) => failures > 0),
      (error: Error) => [buildFailure(error)],
    );
    progress(at + 1, providers.length, provider);
  }
  return providers.length === 0 ? undefined : failing;
}

function buildFailure({ message: problem }: Error): CheckResult {
  return { check: 'build', severity: 'error', failures: 1, problem };
}

/**
 * Exports the records of the other providers. Leaves out records that are not built, failed a check of severity
 * `error`, or cannot be read; `leftOut` names their providers. Also leaves out records without months; `leftOut` does
 * not name these.
 */
export async function exportProviders(
  { listProviders, withProviderWarehouse, accuracyOf }: ProviderDeps,
  {
    now,
    addFlightOdds,
  }: {
    now: () => Date;
    addFlightOdds: (store: ProviderStore['store']) => Promise<ProviderStore['store']>;
  },
): Promise<{ stores: ProviderStore[]; leftOut: string[] }> {
  const stores: ProviderStore[] = [];
  const leftOut: string[] = [];
  for (const name of await listProviders()) {
    const facts = PROVIDERS.find((provider) => provider.name === name);
    const store = await withProviderWarehouse(name, async (warehouse) => {
      const checks = await warehouse.readLastChecks();
      const isFailing = checks.some(
        ({ severity, failures }) => severity === 'error' && failures > 0,
      );
      if (checks.length === 0 || isFailing) return undefined;
      const exported = await warehouse.exportStore(now(), undefined, name);
      return exported.manifest.months.length === 0 ? exported : addFlightOdds(exported);
    }).catch(() => undefined);
    if (store === undefined) {
      leftOut.push(name);
    } else if (store.manifest.months.length > 0) {
      const {
        attribution = name,
        terms = '',
        title = name,
        url = '',
        countries = [],
      } = facts ?? {};
      const accuracy = await accuracyOf(name);
      stores.push({
        ...{ store, attribution, terms, title, url, countries: [...countries] },
        ...(accuracy && { accuracy }),
      });
    }
  }
  return { stores, leftOut };
}
