import { sum } from '../../warehouse/ground/numbers.ts';
import type { ModelFile } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { ChecksFailedError, NothingBuiltError } from '../errors.ts';
import type { LoadDeps } from '../flights/load.ts';
import { failingChecks } from './build.ts';
import { flightOddsRows, type FlightOddsRow } from './flight-odds.ts';
import { exportProviders, type ProviderDeps } from './provider-records.ts';
import type { PublishReport } from '../types.ts';
import type { Progress } from '../../warehouse/progress.ts';

export type PublishDeps = LoadDeps & {
  /** The records of the other providers; absent if the store has only flights of the United States. */
  others?: ProviderDeps;

  /**
   * Makes the store current on disk and in Redis, and moves the pointer last. Returns the version of the store. If a
   * version with the same content already exists, returns this version.
   */
  saveStore: (store: StoreFiles) => Promise<string>;
  openStore: (store: StoreFiles) => ScoreStore;
  /** Returns the store with these rows in its table `flight_odds`. */
  withFlightOdds: (store: StoreFiles, rows: FlightOddsRow[]) => StoreFiles;
  /** The model to publish with the marts. */
  releasedModel: () => Promise<{ model?: ModelFile; refused?: string }>;
};

/**
 * Publishes the marts of the last build. Throws `ChecksFailedError` when an error check of that build failed, and
 * `NothingBuiltError` when no build has finished.
 */
export async function publishStore(deps: PublishDeps, progress: Progress): Promise<PublishReport> {
  const { withWarehouse, now, saveStore, releasedModel, openStore, withFlightOdds } = deps;
  const addFlightOdds = async (store: StoreFiles) =>
    withFlightOdds(store, await flightOddsRows(openStore(store)));
  return withWarehouse(async (warehouse) => {
    const checks = await warehouse.readLastChecks();
    const failing = failingChecks(checks);
    if (checks.length === 0) throw new NothingBuiltError();
    if (failing.length > 0) throw new ChecksFailedError(failing.map(({ check }) => check));
    const { model, refused } = await releasedModel();
    const exported = await warehouse.exportStore(now(), model);
    const home = await addFlightOdds(exported);
    const { stores, leftOut } = deps.others
      ? await exportProviders(deps.others, { now, addFlightOdds })
      : { stores: [], leftOut: [] };
    const store = deps.others?.withParts(home, stores) ?? home;
    progress(1, 2, 'written');
    const version = await saveStore(store);
    progress(2, 2, version);
    const bytes = sum([...store.files.values()].map((file) => file.length));
    return {
      version,
      months: store.manifest.months,
      bytes,
      ...(model && { model: model.version }),
      ...(refused !== undefined && { modelRefused: refused }),
      ...(stores.length > 0 && {
        providers: stores.map((one) => one.store.manifest.provider),
      }),
      ...(leftOut.length > 0 && { providersLeftOut: leftOut }),
    };
  });
}
