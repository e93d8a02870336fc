import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { assembleFeatures } from '../models/assemble.ts';
import { createApp } from './app.ts';
import { createAssess } from './assess.ts';
import type { Config } from './config.ts';
import { openLog } from './log.ts';
import { createKeystore } from './keys/keystore.ts';
import { connectRedis, untilReady } from './keys/redis.ts';
import { createModelShelf, type ModelShelf } from './model-shelf.ts';
import { noNews } from './news.ts';
import { startServer, type RunningServer } from './server.ts';
import { openLiveFeed, type LiveFeed } from './live-feed.ts';
import { createLiveInputs } from './live-inputs.ts';
import { openStoreFeed, type StoreFeed } from './store-feed.ts';

/** How long the first answer may wait for Redis; without it we start all the same and say 503. */
const REDIS_WAIT_MS = 2_000;

export type RunningApi = { port: number; close: () => Promise<void> };

/** Joins the parts and listens; rejects when the port cannot be had. */
export async function serve(
  config: Config,
  log: Logger = openLog(config.logLevel),
): Promise<RunningApi> {
  const redis = connectRedis(config.redisUrl, log);
  // One of these connections reports an outage; the others would only repeat it.
  const connect = () => connectRedis(config.redisUrl);
  const models = createModelShelf(log);
  const storeDir = join(config.dataDir, 'store');
  const feed = await openStoreFeed({ connect, storeDir, models, log });
  const live = openLiveFeed({ connect, log });
  const parts = { feed, live, models, redis };
  const now = () => new Date();
  const app = createApp({
    feed,
    keys: createKeystore(redis),
    assess: createAssess({ models, assemble: assembleFeatures, log }),
    liveInputs: createLiveInputs({ live, now }),
    models,
    news: noNews(now),
    explains: config.explains,
    now,
    log,
  });
  await untilReady(redis, REDIS_WAIT_MS);
  const handle = app.callback();
  try {
    const server = await startServer((request, response) => void handle(request, response), config);
    log.info({ port: server.port, host: config.host }, 'api listening');
    return { port: server.port, close: () => closeInOrder(server, parts) };
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

type Parts = { feed: StoreFeed; live: LiveFeed; models: ModelShelf; redis: Redis };

async function closeInOrder(server: RunningServer, parts: Parts): Promise<void> {
  await server.close();
  await closeParts(parts);
}

async function closeParts({ feed, live, models, redis }: Parts): Promise<void> {
  await Promise.all([feed.close(), live.close()]);
  await models.close();
  redis.disconnect();
}
