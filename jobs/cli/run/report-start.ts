import { machineName } from '../../../warehouse/live/health-reports.ts';
import { START_RENEWAL_MS, writeStart } from '../../../warehouse/live/starts.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { currentOnDisk } from '../../../warehouse/store/disk.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import type { JobsConfig } from '../../config.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/**
 * Reports the first start of a service until the returned function is called. A missing score store is then not
 * reported as an outage. Reports nothing if a store was published before. If this process is killed, its report soon
 * expires.
 */
export async function reportFirstStart(
  { dataDir }: Pick<JobsConfig, 'dataDir'>,
  redisUrl: string,
): Promise<() => void> {
  const redis = await connectOnce(redisUrl, `headwind-start-${process.pid}`);
  const isFirst =
    (await currentVersion(redis)) === undefined &&
    (await currentOnDisk(dataPaths(dataDir).storeDir)) === undefined;
  if (!isFirst) {
    redis.disconnect();
    return () => undefined;
  }
  // Ignore the error: if Redis is unreachable or refuses writes, another condition reports this.
  const report = () => writeStart(redis, machineName(dataDir), new Date()).catch(() => undefined);
  await report();
  const timer = setInterval(() => void report(), START_RENEWAL_MS);
  return () => {
    clearInterval(timer);
    redis.disconnect();
  };
}
