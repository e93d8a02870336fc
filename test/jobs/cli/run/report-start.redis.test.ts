import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { reportFirstStart } from '../../../../jobs/cli/run/report-start.ts';
import { readStart } from '../../../../warehouse/live/starts.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('a start is reported only if neither Redis nor the data folder has a score store', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const isReported = async (dataDir: string) => {
    await redis.del('hw:starts');
    const stop = await reportFirstStart({ dataDir }, url);
    const start = await readStart(redis, new Date());
    stop();
    return start !== undefined;
  };
  const dataDir = await tempDir(t);
  t.true(await isReported(dataDir));
  await redis.set('hw:store:current', 'v1');
  t.false(await isReported(dataDir));
  await redis.del('hw:store:current');
  await mkdir(join(dataDir, 'store'));
  await writeFile(join(dataDir, 'store', 'current'), 'v1');
  t.false(await isReported(dataDir));
});
