/**
 * Runs the steps once, up to the requested last step. Prints each step when it begins. `pipeline.ts` kills this
 * process.
 */
import { Redis } from 'ioredis';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { listVersions } from '../../warehouse/lake/versions.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';

const [dataDir = '', redisUrl = '', last = '', ...files] = process.argv.slice(2);

const redis = new Redis(redisUrl);
const steps = createSteps({ dataDir, codeVersion: 'chaos', offline: true }, redis);
const silent = () => undefined;

console.log('extract');
const months = new Set<string>();
for (const path of files) {
  // The file has other flights than the current month, so an ingest without `force` would refuse it.
  const report = await steps.extractFile({ path, force: true }, silent);
  for (const { month, outcome, why } of report.months) {
    if (outcome === 'refused') throw new Error(`${month} was refused: ${why}`);
    months.add(month);
  }
}
console.log('load');
await steps.loadMonths([...months], silent);
console.log('build');
await steps.buildFeatures(silent);
console.log('publish');
await steps.publishStore(silent);
if (last !== 'publish') await undoAndBuild();
if (last === 'rebuild') {
  console.log('rebuild');
  await steps.rebuildWarehouse(silent);
}
console.log('done');
redis.disconnect();

/**
 * Drops and restores the last month. If the process is killed between drop and restore, the next run restores the
 * dropped version or loads the month again.
 */
async function undoAndBuild(): Promise<void> {
  const month = [...months].toSorted().at(-1) ?? '';
  const ref = { month, tree: 'flights' } as const;
  console.log('drop');
  await steps.dropMonth(ref, silent);
  console.log('restore');
  const { lakeDir } = dataPaths(dataDir);
  const [version] = await listVersions(lakeDir, ref, await currentManifest(lakeDir, ref));
  await steps.restoreMonth({ ...ref, version: version?.id ?? '', force: true }, silent);
  console.log('build again');
  await steps.buildFeatures(silent);
}
