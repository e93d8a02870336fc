/**
 * Drops or restores a month as `make drop` and `make restore` do; with `publish`, also builds and publishes. Prints
 * each step when the step begins. `undo.ts` kills this process.
 */
import { Redis } from 'ioredis';
import { createSteps } from '../../jobs/wiring/steps.ts';

const [dataDir = '', redisUrl = '', month = '', version = '', last = ''] = process.argv.slice(2);

const redis = new Redis(redisUrl);
const steps = createSteps({ dataDir, codeVersion: 'chaos', offline: true }, redis);
const silent = () => undefined;
const ref = { month, tree: 'flights' } as const;

console.log('undo');
if (version === '') await steps.dropMonth(ref, silent);
else await steps.restoreMonth({ ...ref, version, force: true }, silent);
if (last === 'publish') {
  console.log('build');
  await steps.buildFeatures(silent);
  console.log('publish');
  await steps.publishStore(silent);
}
console.log('done');
redis.disconnect();
