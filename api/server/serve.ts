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
import { handMemoryBack } from './memory.ts';
import { recordActivity } from '../../warehouse/keyring/activity.ts';
import { KEYED_PATHS } from '../openapi/endpoints.ts';
import { createApiMetrics } from '../metrics/api-metrics.ts';
import { addServedGauges } from '../metrics/served-gauges.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { connectRedis, untilReady } from '../redis.ts';
import { createStoreModels } from '../scoring/store-models.ts';
import { openLiveNews } from '../live/live-news.ts';
import { exposeMetrics } from './expose-metrics.ts';
import { isOpsPath } from '../ops/paths.ts';
import type { OpenOperations } from '../schemas/operations.ts';
import { openOps } from './ops.ts';
import { startServer } from './server.ts';
import { watchForecasts } from '../live/forecast-watch.ts';
import { createLiveInputs } from '../live/live-inputs.ts';
import { watchStores } from '../scoring/store-watch.ts';

/** How long the first answer may wait for Redis; without it we start all the same and say 503. */
const REDIS_WAIT_MS = 2_000;

/** Where systemd hands over the first socket (sd_listen_fds). */
const FIRST_SOCKET = 3;

export type RunningApi = { port: number; close: () => Promise<void> };

/** Joins the parts and listens; rejects when the port cannot be had. */
export async function serve(
  config: Config,
  log: Logger = openLog(config.logLevel),
  openOperations?: OpenOperations,
): Promise<RunningApi> {
  const redis = connectRedis(config.redisUrl, log);
  // One of these connections reports an outage; the others would only repeat it.
  const connect = () => connectRedis(config.redisUrl);
  const models = createStoreModels(log);
  const storeDir = join(config.dataDir, 'store');
  const loaded = handMemoryBack();
  const stores = await watchStores({ connect, storeDir, models, loaded, log });
  const now = () => new Date();
  const news = openLiveNews({ redis, connect, stores, now, log });
  const live = watchForecasts({ connect, log });
  const activity = recordActivity(redis);
  const parts: Closable[] = [stores, news, live, activity];
  const metrics = config.metrics && { ...createApiMetrics(KEYED_PATHS), place: config.metrics };
  if (metrics) {
    addServedGauges(metrics.registry, {
      store: stores.current,
      hasModel: (store) => models.of(store) !== undefined,
      fetched: () => ({ forecasts: live.savedAt(), ...news.fetched() }),
      isRedisUp: () => redis.status === 'ready',
      now,
    });
  }
  const keys = createKeystore(redis, {
    ...{ activity, timed: metrics?.askedRedis },
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
    newsAt: () => news.fetched().news,
    newsKnown: news.known,
    forecastsAt: live.savedAt,
    ...(config.explorer && {
      explorer: {
        admit: createVisitLimit(redis),
        trusts: trustedProxies(config.explorer.trustedProxies),
      },
    }),
    explains: config.explains,
    requestLinesPerS: config.requestLinesPerS,
    ...(metrics && { answered: metrics.answered }),
    now,
    log,
  });
  await untilReady(redis, REDIS_WAIT_MS);
  const handle = app.callback();
  const ops =
    config.ops &&
    openOperations &&
    openOps({
      ...config.ops,
      ...(metrics && { answered: metrics.answered }),
      ...{ redis, keys, openOperations, requestLinesPerS: config.requestLinesPerS, now, log },
    });
  if (ops) parts.push(ops);
  try {
    const server = await startServer((request, response) => {
      if (ops && isOpsPath(request.url)) ops.handle(request, response);
      else void handle(request, response);
    }, placeOf(config));
    parts.unshift(server);
    if (metrics) parts.push(await exposeMetrics(metrics.registry, metrics.place, log));
    log.info({ port: server.port, host: config.host }, 'api listening');
    return { port: server.port, close: () => closeParts(parts, redis) };
  } catch (error) {
    await closeParts(parts, redis);
    throw error;
  }
}

/** The socket systemd opened, where it is for us; several processes listen through the one that runs them. */
function placeOf({
  port,
  host,
  socketFor,
}: Config): { port: number; host: string } | { fd: number } {
  const owner = cluster.isWorker ? process.ppid : process.pid;
  return socketFor === owner ? { fd: FIRST_SOCKET } : { port, host };
}

type Closable = { close: () => Promise<void> };

async function closeParts(parts: Closable[], redis: Redis): Promise<void> {
  for (const part of parts) await part.close();
  redis.disconnect();
}
