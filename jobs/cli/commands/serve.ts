import type { Config } from '../../../api/config.ts';
import type { JobsConfig } from '../../config.ts';
import { refuseLossy } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';

/** Answers requests with those settings until told to stop; `afterwards` runs when it has stopped. */
export type RunServer = (config: Config, afterwards: () => Promise<void>) => Promise<never>;

/** Runs the API alone: on the Redis of `REDIS_URL`, which may come later, or on that of the data folder. */
export async function serve(config: JobsConfig, runServer: RunServer): Promise<never> {
  const { port, host, dataDir, logLevel, workers, explains, requestLinesPerS } = config;
  const { metrics, socketFor, explorer, opsQueueWrites } = config;
  const given = {
    ...(metrics && { metrics }),
    ...(explorer && { explorer }),
    ...(socketFor !== undefined && { socketFor }),
  };
  const { replicas } = config;
  const plain = { port, host, workers, dataDir, logLevel, explains, requestLinesPerS, replicas };
  const settings = {
    ...plain,
    ...given,
    ops: { hasWrites: opsQueueWrites },
  };
  if (config.redisUrl !== undefined) {
    await refuseLossy(config, (text) => process.stderr.write(text));
    return runServer({ ...settings, redisUrl: config.redisUrl }, async () => undefined);
  }
  const redis = await openRedis(config, 'serve');
  try {
    return await runServer({ ...settings, redisUrl: redis.url }, () => redis.close());
  } catch (error) {
    await redis.close();
    throw error;
  }
}
