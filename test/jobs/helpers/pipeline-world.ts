import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { readRuns, runIds } from '../../../warehouse/lake/ledger.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { tempDir } from './temp-dir.ts';
import { trainedOnce } from './trained-once.ts';

/** For steps whose progress nobody follows. */
export const silent = () => undefined;

/**
 * The real pipeline on a data folder and a Redis of the test's own, with one flight file to bring; it trains in this
 * process.
 */
export async function pipelineWorld(t: ExecutionContext, csv: string, codeVersion = 'test') {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const dataDir = await tempDir(t);
  const paths = dataPaths(dataDir);
  const file = join(dataDir, 'flights.csv');
  await writeFile(file, csv);
  return {
    url,
    redis,
    dataDir,
    paths,
    file,
    steps: createSteps({ dataDir, codeVersion, offline: true }, redis, {
      trainApart: trainedOnce,
    }),
    /** The ledger, oldest run first. */
    runs: async () => readRuns(paths.runsDir, await runIds(paths.runsDir)),
  };
}
