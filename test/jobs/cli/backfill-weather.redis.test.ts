import { join, resolve } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const OBSERVATIONS = resolve('../shared/data/weather/nyc_2017_hourly.csv.gz');

test('real observations become typical weather by month, and a rebuild gives the same values', async (t) => {
  const { redis: server, queues, work, follow } = await queueWorld(t);
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  await saveToRedis(redis, await someStoreFiles());
  const dataDir = await tempDir(t);
  const steps = createSteps({ dataDir, codeVersion: '1.2.3', offline: true }, redis);
  await work(steps);
  const source = { kind: 'file' as const, path: OBSERVATIONS };
  const request = {
    kind: 'weather' as const,
    months: ['2017-01', '2017-02'],
    source,
    force: false,
  };
  const { months } = await requestBackfill(queues, request, join(dataDir, 'lock'));
  const results: MonthResult[] = [];
  for (const { load } of months) results.push(await follow<MonthResult>(load));
  t.deepEqual(
    results.map(({ month, outcome, rowsLoaded }) => [month, outcome, rowsLoaded]),
    [
      ['2017-01', 'done', 31],
      ['2017-02', 'done', 28],
    ],
  );
  await steps.buildFeatures(() => undefined);
  const climatology = async () => {
    const db = await openDatabase({ path: dataPaths(dataDir).warehouseFile });
    try {
      return await db.rows<{ airport: string; risk: number }>('from marts.airport_climatology');
    } finally {
      db.close();
    }
  };
  const built = await climatology();
  t.deepEqual(
    built.map(({ airport }) => airport),
    ['JFK', 'JFK'],
  );
  t.true(built.every(({ risk }) => risk > 0.1 && risk < 0.7));
  await steps.rebuildWarehouse(() => undefined);
  t.deepEqual(await climatology(), built);
});
