import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { readRuns, listRunIds } from '../../../warehouse/lake/ledger.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { aFlight, numberFlights, toCsv } from '../../helpers/flight-files.ts';
import { readFolder, writeFolder } from '../../helpers/folders.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { tempDir } from './temp-dir.ts';
import { trainWithCache } from './train-with-cache.ts';

/** A month of 200 flights. */
export const SOME_FLIGHTS = toCsv(numberFlights(Array.from({ length: 200 }, () => aFlight())));

/** Progress callback for steps whose progress does not matter. */
export const silent = () => undefined;

/**
 * Creates the real pipeline with a data folder and a Redis for one test, and writes one flight file. Trainings are
 * cached by `trainWithCache`.
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
      runTraining: trainWithCache,
    }),
    /** The ledger, oldest run first. */
    runs: async () => readRuns(paths.runsDir, await listRunIds(paths.runsDir)),
  };
}

/**
 * Creates the world after a first publish: the file's months, except `exceptMonths`, are loaded, built and published.
 * The pipeline runs once per test run. Each test gets a copy of the folder, and the published store in a Redis of its
 * own.
 */
export async function publishedWorld(
  t: ExecutionContext,
  csv = SOME_FLIGHTS,
  exceptMonths: string[] = [],
) {
  const world = await pipelineWorld(t, csv);
  const { steps, file, dataDir, paths, redis } = world;
  const key = JSON.stringify(['published', csv, exceptMonths]);
  const folder = await oncePerRun(key, async () => {
    const { months } = await steps.extractFile({ path: file }, silent);
    const names = months.map(({ month }) => month).filter((month) => !exceptMonths.includes(month));
    await steps.loadMonths(names, silent);
    await steps.buildFeatures(silent);
    await steps.publishStore(silent);
    return readFolder(dataDir);
  });
  await writeFolder(dataDir, folder);
  const store = await readFromDisk(paths.storeDir);
  if (!store) throw new Error('nothing was published');
  await saveToRedis(redis, store);
  return { ...world, store };
}
