import type { Config } from '../../../api/config.ts';
import type { JobsConfig } from '../../config.ts';
import { refuseUnsafeRedis } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';

/** Answers requests with these settings until a signal stops the server, then runs `afterwards`. */
export type RunServer = (config: Config, afterwards: () => Promise<void>) => Promise<never>;

/** Runs only the API. Uses the Redis of `REDIS_URL`, which may start later, or starts the Redis of the data folder. */
export async function serve(config: JobsConfig, runServer: RunServer): Promise<never> {
  const { port, host, dataDir, logLevel, workers, isExplainEnabled, requestLinesPerS } = config;
  const { metrics, socketOwnerPid, explorer, opsQueueWrites, modelDeadlineMs } = config;
  const optional = {
    ...(metrics && { metrics }),
    ...(explorer && { explorer }),
    ...(socketOwnerPid !== undefined && { socketOwnerPid }),
  };
  const { replicas, retention, keepLiveBytes, minFreeBytes } = config;
  const required = {
    port,
    host,
    workers,
    dataDir,
    logLevel,
    isExplainEnabled,
    requestLinesPerS,
    modelDeadlineMs,
    replicas,
    retention,
    keepLiveBytes,
    minFreeBytes,
  };
  const settings = {
    ...required,
    ...optional,
    ops: { hasWrites: opsQueueWrites },
  };
  if (config.redisUrl !== undefined) {
    await refuseUnsafeRedis(config, (text) => process.stderr.write(text));
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
