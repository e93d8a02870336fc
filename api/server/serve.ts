import cluster from 'node:cluster';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { assembleRows } from '../../models/assemble.ts';
import { createApp } from '../app.ts';
import { createAssess } from '../scoring/assess.ts';
import type { Config } from '../config.ts';
import { createVisitLimit } from '../explorer/visit-limit.ts';
import { trustedProxies } from '../explorer/visitor.ts';
import { openLog } from './log.ts';
import { configureMemoryRelease } from './memory.ts';
import { recordActivity } from '../../warehouse/keyring/activity.ts';
import { KEYED_PATHS } from '../openapi/endpoints.ts';
import { createApiMetrics } from '../metrics/api-metrics.ts';
import { addServedGauges, type ServedState } from '../metrics/served-gauges.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { connectRedis, waitUntilReady } from '../redis.ts';
import { openLiveNews } from '../live/live-news.ts';
import { exposeMetrics } from './expose-metrics.ts';
import { isOpsPath } from '../ops/paths.ts';
import type { OpenOperations } from '../schemas/operations.ts';
import { openSigningKeys } from './signing-keys.ts';
import { createSignatures } from '../signatures.ts';
import { createWatchRegistry } from '../live/watch-registry.ts';
import { reportHealth } from './health-report.ts';
import { openOps } from './ops.ts';
import { startServer } from './server.ts';
import { watchForecasts } from '../live/forecast-watch.ts';
import { watchForecastRecord } from '../live/forecast-record-watch.ts';
import { createLiveInputs } from '../live/live-inputs.ts';
import { createPartArchive, openLiveStates } from '../live/live-states.ts';
import { liveArchiveDir } from '../../warehouse/live/live-archive.ts';
import { listSnapshots } from '../../warehouse/snapshots/snapshots.ts';
import { MIN_FREE_BYTES } from '../../warehouse/ground/files.ts';
import { LIVE_ARCHIVE_BYTES } from '../../warehouse/live/live-archive-limit.ts';
import { answerCodeVersion } from './answer-code.ts';
import { watchStores } from '../scoring/store-watch.ts';
import { createStoreModels, type StoreModels } from '../scoring/store-models.ts';
import { openModelReports, type ModelReports } from './model-reports.ts';

/** Maximum wait for Redis at the start. Without Redis, the API starts anyway and answers 503. */
const REDIS_WAIT_MS = 2_000;

/** File descriptor of the first socket that systemd passes (sd_listen_fds). */
const FIRST_SOCKET = 3;

export type RunningApi = { port: number; close: () => Promise<void> };

/** Creates all parts of the API and listens. Rejects if the API cannot listen on the port. */
export async function serve(
  config: Config,
  log: Logger = openLog(config.logLevel),
  openOperations?: OpenOperations,
): Promise<RunningApi> {
  const redis = connectRedis(config.redisUrl, log);
  const now = () => new Date();
  const opened = await openParts(config, { redis, now, log });
  const { models, stores, news, live, liveStates, record, activity, health, signingKeys } = opened;
  const parts: Closable[] = [signingKeys, liveStates, health, stores, models, news, live, record];
  parts.push(activity);
  const metrics = createMetrics(config.metrics, {
    store: stores.current,
    hasModel: (store) => models.modelFor(store) !== undefined,
    fetchTimes: () => ({ forecasts: live.savedAt(), ...news.fetchTimes() }),
    isRedisUp: () => redis.status === 'ready',
    ...{ importedState: models.currentImported, now },
  });
  const keys = createKeystore(redis, {
    ...{ activity, recordTiming: metrics?.recordRoundTrip },
    replicas: config.replicas ?? 0,
  });
  const app = createApp({
    stores,
    keys,
    assess: createAssess({ models, assemble: assembleRows, log }),
    liveInputs: createLiveInputs({ live, danger: news.danger, now }),
    models,
    news: news.news,
    flightNews: news.flightNews,
    eventSources: news.eventSources,
    airportEvents: news.airportEvents,
    newsAt: () => news.fetchTimes().news,
    newsSnapshot: news.snapshot,
    ...{ forecastsAt: live.savedAt, forecastRecord: record.current, watches: opened.watches },
    snapshots: () => listSnapshots(config.dataDir),
    ...{ signatures: createSignatures(signingKeys.keys), liveStates },
    ...{ conditions: health.conditions, nextRefreshAt: health.nextRefreshAt },
    ...(config.explorer && {
      explorer: {
        ...createVisitLimit(redis),
        isTrustedProxy: trustedProxies(config.explorer.trustedProxies),
      },
    }),
    isExplainEnabled: config.isExplainEnabled,
    requestLinesPerS: config.requestLinesPerS,
    ...(metrics && { recordAnswer: metrics.recordAnswer }),
    now,
    log,
  });
  if (await waitUntilReady(redis, REDIS_WAIT_MS)) await signingKeys.refresh();
  const handle = app.callback();
  const ops =
    config.ops &&
    openOperations &&
    openOps({
      ...config.ops,
      ...(metrics && { recordAnswer: metrics.recordAnswer }),
      ...{ redis, keys, openOperations, requestLinesPerS: config.requestLinesPerS, now, log },
    });
  if (ops) parts.push(ops);
  try {
    const server = await startServer((request, response) => {
      if (ops && isOpsPath(request.url)) ops.handle(request, response);
      else void handle(request, response);
    }, listenTarget(config));
    parts.unshift(server);
    health.listens(`${config.host}:${server.port}`);
    if (metrics) parts.push(await exposeMetrics(metrics.registry, metrics.place, log));
    log.info({ port: server.port, host: config.host }, 'api listening');
    return { port: server.port, close: () => closeParts(parts, redis) };
  } catch (error) {
    await closeParts(parts, redis);
    throw error;
  }
}

/** Opens the parts that copy data from Redis into memory, or report to Redis. */
async function openParts(
  config: Config,
  { redis, now, log }: { redis: Redis; now: () => Date; log: Logger },
) {
  // These connections have no log, because the first connection already logs outages of Redis.
  const connect = () => connectRedis(config.redisUrl);
  const models = openModels(config, { redis, now, log });
  const onLoaded = configureMemoryRelease();
  const { dataDir, retention } = config;
  const [storeDir, liveDir] = [join(dataDir, 'store'), liveArchiveDir(dataDir)];
  const stores = await watchStores({ connect, storeDir, models, retention, onLoaded, log });
  const archive = createPartArchive(liveDir, log);
  const news = openLiveNews({ redis, connect, stores, now, archive, log });
  const live = watchForecasts({ connect, archive, log });
  const parts = { forecasts: live.archived, news: news.snapshot };
  return {
    ...{ models, stores, news, live },
    record: watchForecastRecord({ connect, log }),
    liveStates: openLiveStates({
      ...{ liveDir, storeDir, stores, parts, now, log },
      maxBytes: config.keepLiveBytes ?? LIVE_ARCHIVE_BYTES,
      minFreeBytes: config.minFreeBytes ?? MIN_FREE_BYTES,
      code: answerCodeVersion,
    }),
    activity: recordActivity(redis),
    health: reportHealth({ redis, stores, now }),
    signingKeys: openSigningKeys({ redis, dataDir, now, log }),
    watches: createWatchRegistry({ redis, now }),
  };
}

/** Creates the metrics of this process; undefined if metrics are switched off. */
function createMetrics(place: Config['metrics'], served: ServedState) {
  if (!place) return undefined;
  const metrics = createApiMetrics(KEYED_PATHS);
  addServedGauges(metrics.registry, served);
  return { ...metrics, place };
}

/**
 * Returns the socket of systemd if systemd opened one for this process or the primary process. Otherwise returns port
 * and host.
 */
function listenTarget({
  port,
  host,
  socketOwnerPid,
}: Config): { port: number; host: string } | { fd: number } {
  const owner = cluster.isWorker ? process.ppid : process.pid;
  return socketOwnerPid === owner ? { fd: FIRST_SOCKET } : { port, host };
}

type Closable = { close: () => Promise<void> };

async function closeParts(parts: Closable[], redis: Redis): Promise<void> {
  for (const part of parts) await part.close();
  redis.disconnect();
}

/** Opens the models of the API. Reports to Redis while an imported model fails. */
function openModels(
  { modelDeadlineMs }: Pick<Config, 'modelDeadlineMs'>,
  { redis, now, log }: { redis: Redis; now: () => Date; log: Logger },
): StoreModels {
  const models = createStoreModels(log, {
    ...(modelDeadlineMs !== undefined && { deadlineMs: modelDeadlineMs }),
    onChange: () => void reports.report(),
    now,
  });
  const reports: ModelReports = openModelReports({ redis, read: models.currentImported, now, log });
  return {
    ...models,
    close: async () => {
      reports.close();
      await models.close();
    },
  };
}
