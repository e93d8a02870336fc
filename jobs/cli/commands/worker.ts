import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { pino, type Logger } from 'pino';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { lowerPriority } from '../../../warehouse/ground/priority.ts';
import { openLogOutput } from '../../../warehouse/ground/log-output.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { JobsConfig } from '../../config.ts';
import type { Maintenance } from '../../queue/handlers.ts';
import type { LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { createDiskWatch } from '../../wiring/disk-needs.ts';
import { tidy } from '../../wiring/tidy.ts';
import { openJobWatch } from '../../watch/job-watch.ts';
import { openLakeHome } from '../../wiring/lake-home.ts';
import { createDirectNotices } from '../../watch/direct-notices.ts';
import { createWebhook } from '../../watch/webhook.ts';
import { createLedger } from '../../wiring/ledger.ts';
import type { StepsOptions } from '../../wiring/steps.ts';
import { serveNewsRequests } from '../../wiring/news-requests.ts';
import { jobFields, recordLine } from '../../processes/job-journal.ts';
import { refuseUnsafeRedis } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { openInbox } from '../../queue/inbox.ts';
import { archiveIfMissing } from '../../queue/archive-keys.ts';
import { openQueuesWithoutEvents } from '../../queue/queues.ts';
import { schedulesOf } from '../../queue/schedules.ts';
import type { JobEndListener } from '../../queue/job-metrics.ts';
import { waitForShutdown } from '../../processes/signals.ts';
import { startWorkers, type WorkerDeps, type Workers } from '../../queue/worker.ts';
import type { RecordDelivery } from '../../queue/watch-deliveries.ts';
import { createMaintenance } from '../maintenance/steps.ts';
import { createRecordStep } from '../record/record-step.ts';
import { createSnapshotStep } from '../snapshot/snapshot-step.ts';
import { openHealthWatch, type HealthWatchDeps } from '../health/health-watch.ts';
import { createLakeCheck, ensureLakeId } from '../health/lake-identity.ts';
import { openWorkerMetrics } from '../worker-metrics.ts';
import { startWatches } from '../watches/watch-work.ts';

const TIDY_EVERY_MS = 60 * 60_000;
/** Time limit for a notice that is being sent when the worker closes. */
const NOTICE_PATIENCE_MS = 2_000;
/** Time limit for closing the worker. It must be shorter than the time limit of the parent process. */
const CLOSE_DEADLINE_MS = 10_000;
/** If the parent process was killed, its other child processes disconnect from Redis within this time. */
const ORPHAN_PATIENCE_MS = 5_000;

/**
 * Processes the queues until a signal ends the worker or its parent process ends. A worker of the service registers the
 * schedules; a worker that a command started leaves them unchanged. Returns the exit code.
 */
export async function worker(
  config: JobsConfig,
  createSteps: (redis: Redis, options: Pick<StepsOptions, 'onWait'>) => PipelineSteps,
  { codeVersion, isService }: { codeVersion: string; isService: boolean },
): Promise<number> {
  const log = openLog(config.logLevel);
  const endSignal = waitForShutdown();
  await mkdir(config.dataDir, { recursive: true });
  const redis = await openRedis(config, 'worker');
  // Lowers the priority only after Redis was started, because Redis would inherit the priority.
  lowerPriority('worker');
  await refuseUnsafeRedis(config, (text) => log.warn(text.trim()));
  const client = openRedisClient(redis.url, { connectionName: `headwind-steps-${process.pid}` });
  client.on('error', (err) => log.warn({ err }, 'redis unreachable'));
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
  const { health, watch, closeWatches } = await openWatches(config, {
    ...{ redisUrl: redis.url, redis: client, schedules, keyring, isService, home, log },
  });
  const metrics =
    workerMetrics &&
    (await openWorkerMetrics(workerMetrics, {
      redisUrl: redis.url,
      redis: client,
      ...{ dataDir, log, schedules, home },
      conditions: health.conditions,
    }));
  const ledger = createLedger(dataPaths(dataDir), codeVersion, home);
  const onJobEnd: JobEndListener = (...ended) => {
    metrics?.onJobEnd(...ended);
    health.changed();
  };
  const deps: WorkerDeps = {
    maintenance: allMaintenance(config, { redisUrl: redis.url, redis: client, home, ledger, log }),
    steps: createSteps(client, { onWait: createWaitLogger(log) }),
    keyring,
    log,
    schedules,
    isService,
    monthSources: {
      flights: { kind: 'url', base: config.btsBaseUrl, table: config.btsTable },
      weather: { kind: 'url', base: config.weatherArchiveUrl },
      lockFile: join(config.dataDir, 'backfill.lock'),
    } as const,
    redis: client,
    disk: createDiskWatch(config),
    watch,
    ledger,
    onJobEnd,
  };
  const stopTidying = scheduleTidy(config, home, log);
  await archiveIfMissing(archiveFile, deps);
  const workers = await startAllWork(config, redis.url, client, deps, metrics?.onDelivery);
  const inbox = openInbox(config.inbox, redis.url, { watch, log });
  const newsRequests = serveNewsRequests(redis.url, deps);
  const reason = await endSignal;
  log.info({ reason }, 'worker closing');
  stopTidying();
  await inbox.close();
  // Does not wait for routes whose news is being fetched, because requests for these routes are answered from the
  // cache.
  void newsRequests.close();
  const isClean = await workers.close(CLOSE_DEADLINE_MS);
  if (!isClean) log.warn('the worker stops while a job is running; the job will run again');
  await closeWatches();
  await metrics?.close();
  client.disconnect();
  await redis.close(reason === 'disconnect' ? ORPHAN_PATIENCE_MS : undefined);
  return 0;
}

/** Creates the steps of all scheduled jobs that keep the data safe or write forecasts. */
function allMaintenance(
  config: JobsConfig,
  { home, ...parts }: Parameters<typeof createRecordStep>[1],
): Maintenance {
  const { ledger, log } = parts;
  const objects = config.lake && openObjects(config.lake);
  return {
    ...createMaintenance(config, { ledger, log }),
    record: createRecordStep(config, { ...parts, home }),
    snapshot: createSnapshotStep(config, { ...parts, objects }),
  };
}

/** Starts the workers of the queues. In a worker of the service, also starts the work for callers' watches. */
async function startAllWork(
  config: JobsConfig,
  redisUrl: string,
  redis: Redis,
  deps: WorkerDeps,
  onDelivery: RecordDelivery | undefined,
): Promise<Workers> {
  const workers = await startWorkers(redisUrl, deps);
  if (!deps.isService) return workers;
  const watchWork = await startWatches(
    { ...config, redisUrl },
    { redis, ...(onDelivery && { onDelivery }), log: deps.log },
  );
  return {
    close: async (deadlineMs) => {
      const [isClean] = await Promise.all([workers.close(deadlineMs), watchWork.close(deadlineMs)]);
      return isClean;
    },
  };
}

type WatchParts = Pick<HealthWatchDeps, 'redis' | 'schedules' | 'keyring' | 'isService'> & {
  redisUrl: string;
  home: LakeHome;
  log: Logger;
};

/** Starts to watch the jobs and the health of the service. Both watches send notices to the address in the settings. */
async function openWatches(config: JobsConfig, { redisUrl, home, log, ...parts }: WatchParts) {
  const now = () => new Date();
  const hook = config.notify && createWebhook(config.notify, now);
  const watch = openJobWatch(parts.redis, hook, log, () => health.changed());
  const notices = createDirectNotices({ hook, log, now });
  const queues = openQueuesWithoutEvents(redisUrl);
  const health = openHealthWatch({
    ...{ ...parts, config, queues, watch, notices, log },
    lake: home.place ?? (await ensureLakeId(config.dataDir)),
    checkLake: createLakeCheck(home),
  });
  const closeWatches = async () => {
    await health.close();
    await Promise.race([
      Promise.all([watch.waitUntilDone(), notices.waitUntilDone()]),
      sleep(NOTICE_PATIENCE_MS, undefined, { ref: false }),
    ]);
    await queues.close();
  };
  return { health, watch, closeWatches };
}

/** Tidies the data folder now and every hour until the returned function is called. */
function scheduleTidy(
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
    if (unnamed > 0) log.info({ unnamed }, 'unreferenced objects removed');
  };
  const workSafely = () =>
    void work().catch((err: unknown) => log.warn({ err }, 'data folder not tidied'));
  workSafely();
  const timer = setInterval(workSafely, TIDY_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Opens the log: JSON lines on standard output, each written immediately. */
function openLog(level: JobsConfig['logLevel']): Logger {
  const output = openLogOutput((lines, err) => log.warn({ lines, err }, 'log lines lost'));
  const write = (line: string) => {
    output.add(line);
    output.flushNow();
    recordLine(line);
  };
  // All log lines of a step contain the queue and the id of the step's job.
  const log = pino({ level, mixin: jobFields }, { write });
  return log;
}

/** Time between two log lines about one wait. A job may wait a quarter of an hour, which gives 15 lines. */
const LOG_INTERVAL_MS = 60_000;

/** Creates a function that logs, at once and then every minute, which process has the warehouse open. */
export function createWaitLogger(
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (holder: string) => void {
  const nextLogAt = new Map<string, number>();
  return (holder) => {
    if (now() < (nextLogAt.get(holder) ?? 0)) return;
    nextLogAt.set(holder, now() + LOG_INTERVAL_MS);
    log.warn({ holder }, 'a job waits for the warehouse, which another process has open');
  };
}
