/**
 * `node run-nightly.ts DATA_DIR`: builds, checks and publishes to disk as a nightly run does,
 * and prints time and memory.
 */
import { buildFeatures, failingChecks } from '../pipelines/features/build.ts';
import { publishStore } from '../pipelines/features/publish.ts';
import { findModel } from '../pipelines/model/released-model.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { pruneDisk, readFromDisk, saveToDisk } from '../warehouse/store/disk.ts';
import { hasSameContent } from '../warehouse/store/manifest.ts';
import { openStore } from '../warehouse/store/open.ts';
import type { StoreFiles } from '../warehouse/store/store-manifest.ts';
import { withFlightOdds } from '../warehouse/store/pack.ts';
import { withWarehouse, type Warehouse } from '../warehouse/build/warehouse.ts';
import { measure } from './measured.ts';

const [dataDir = ''] = process.argv.slice(2);
const paths = dataPaths(dataDir);

const deps = {
  withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>) => withWarehouse(paths, work),
  now: () => new Date(),
  saveStore,
  releasedModel: () => findModel(paths.modelsDir),
  openStore,
  withFlightOdds,
};

await measure(async () => {
  const { checks } = await buildFeatures(deps, () => undefined);
  const failing = failingChecks(checks);
  if (failing.length > 0) throw new Error(`checks failed: ${JSON.stringify(failing)}`);
  await publishStore(deps, () => undefined);
});

/** Saves the store like warehouse/store/publish.ts, but without Redis. */
async function saveStore(store: StoreFiles): Promise<string> {
  const current = await readFromDisk(paths.storeDir);
  if (current) openStore(current);
  const published = current && hasSameContent(current.manifest, store.manifest) ? current : store;
  await saveToDisk(paths.storeDir, published);
  await pruneDisk(paths.storeDir, published.manifest.version);
  return published.manifest.version;
}
