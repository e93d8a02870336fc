/**
 * A machine that extracts a file into a shared lake. The settings come from the environment. `storage.ts` kills this
 * process.
 */
import { Redis } from 'ioredis';
import { readConfig } from '../../jobs/config.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';

const [file = ''] = process.argv.slice(2);
const config = readConfig(process.env);
const redis = new Redis(config.redisUrl ?? '');
const steps = createSteps({ ...config, codeVersion: 'chaos' }, redis);
console.log('begun');
const { source } = await steps.extractFile({ path: file, force: true }, () => undefined);
console.log(`written ${source.name}`);
redis.disconnect();
