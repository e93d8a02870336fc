import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { pino, type Logger } from 'pino';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { openLogOutput } from '../../../warehouse/ground/log-output.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { JobsConfig } from '../../config.ts';
import type { LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { shortOfRoom } from '../../processes/disk-room.ts';
import { tidy } from '../../wiring/tidy.ts';
import { openJobWatch } from '../../watch/job-watch.ts';
import { openLakeHome } from '../../wiring/lake-home.ts';
import { watchLakes } from '../../watch/lake-watch.ts';
import { ledgerOf } from '../../wiring/ledger.ts';
import type { StepsOptions } from '../../wiring/steps.ts';
import { tellWaiting } from '../../wiring/tell-waiting.ts';
import { answerNewsRequests } from '../../wiring/news-requests.ts';
import { refuseLossy } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { archiveFirst } from '../../queue/archive-keys.ts';
import { schedulesOf } from '../../queue/schedules.ts';
import type { JobEnded } from '../../queue/job-metrics.ts';
import { untilAskedToEnd } from '../../processes/signals.ts';
import { startWorkers } from '../../queue/worker.ts';
import { keepOpsSummary } from '../status/ops-summary.ts';
import { openWorkerMetrics } from '../worker-metrics.ts';

const TIDY_EVERY_MS = 60 * 60_000;
/** What is just being told may be finished. */
const NOTICE_PATIENCE_MS = 2_000;
/** Less than what whoever started us waits before it kills us. */
const CLOSE_DEADLINE_MS = 10_000;
/** When our parent was killed, its other children leave Redis at about the same time. */
const ORPHAN_PATIENCE_MS = 5_000;

/** Works off the queues until it is asked to end or its parent is gone. */
export async function worker(
  config: JobsConfig,
  createSteps: (redis: Redis, options: Pick<StepsOptions, 'waits'>) => PipelineSteps,
  codeVersion: string,
): Promise<number> {
  const log = openLog(config.logLevel);
  const askedToEnd = untilAskedToEnd();
  await mkdir(config.dataDir, { recursive: true });
  const redis = await openRedis(config, 'worker');
  await refuseLossy(config, (text) => log.warn(text.trim()));
  const client = openRedisClient(redis.url, { connectionName: `headwind-steps-${process.pid}` });
  client.on('error', (err) => log.warn({ err }, 'redis away'));
  if (config.offline) log.warn('offline: weather and news are not fetched');
  const { archiveFile } = dataPaths(config.dataDir);
  const home = openLakeHome(config, client);
  const keyring = createKeyring({
    redis: client,
    archiveFile,
    now: () => new Date(),
    ...(config.lake && { objects: openObjects(config.lake) }),
  });
  const schedules = schedulesOf(config.schedule);
  const { dataDir, workerMetrics } = config;
  const metrics =
    workerMetrics &&
    (await openWorkerMetrics(workerMetrics, {
      redisUrl: redis.url,
      redis: client,
      dataDir,
      log,
      schedules,
      home,
    }));
  const watch = openJobWatch(config, client, log);
  const { staleAfterDays } = config;
  const summary = keepOpsSummary({ dataDir, staleAfterDays, redis: client, log });
  const jobEnded: JobEnded = (...ended) => {
    metrics?.jobEnded(...ended);
    summary.changed();
  };
  const deps = {
    steps: createSteps(client, { waits: tellWaiting(log) }),
    keyring,
    log,
    schedules,
    places: {
      flights: { kind: 'url', base: config.btsBaseUrl },
      weather: { kind: 'url', base: config.weatherArchiveUrl },
      lockFile: join(config.dataDir, 'backfill.lock'),
    } as const,
    redis: client,
    shortOfRoom: () => shortOfRoom(dataDir, config.minFreeBytes),
    watch,
    ledger: ledgerOf(dataPaths(dataDir), codeVersion, home),
    jobEnded,
  };
  const stopTidying = keepTidy(config, home, log);
  const { place } = home;
  const lakes = await watchLakes({ dataDir, place, redis: client, watch, log });
  await archiveFirst(archiveFile, deps);
  const workers = await startWorkers(redis.url, deps);
  const newsRequests = answerNewsRequests(redis.url, deps);
  const reason = await askedToEnd;
  log.info({ reason }, 'worker closing');
  stopTidying();
  // A route being fetched is let go: whoever waits for it is served from the cache.
  void newsRequests.close();
  const isClean = await workers.close(CLOSE_DEADLINE_MS);
  if (!isClean) log.warn('a job was still under way, it runs again');
  await Promise.race([watch.settled(), sleep(NOTICE_PATIENCE_MS, undefined, { ref: false })]);
  await summary.close();
  await lakes.close();
  await metrics?.close();
  client.disconnect();
  await redis.close(reason === 'disconnect' ? ORPHAN_PATIENCE_MS : undefined);
  return 0;
}

/** Tidies the data folder now and every hour until the returned function is called. */
function keepTidy(
  config: JobsConfig,
  home: LakeHome,
  log: Pick<Logger, 'info' | 'warn'>,
): () => void {
  const work = async () => {
    const { removed, rotated, folded } = await tidy({ ...config, now: () => new Date() });
    if (removed.length + rotated.length + folded > 0) {
      log.info({ removed: removed.length, rotated, folded }, 'data folder tidied');
    }
    const unnamed = await home.tidy();
    if (unnamed > 0) log.info({ unnamed }, 'objects removed that nothing names');
  };
  const workSafely = () =>
    void work().catch((err: unknown) => log.warn({ err }, 'data folder not tidied'));
  workSafely();
  const timer = setInterval(workSafely, TIDY_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** JSON lines on standard output, each written at once. */
function openLog(level: JobsConfig['logLevel']): Logger {
  const output = openLogOutput((lines, err) => log.warn({ lines, err }, 'lines of the log lost'));
  const write = (line: string) => {
    output.add(line);
    output.flushNow();
  };
  const log = pino({ level }, { write });
  return log;
}
