import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { pino, type Logger } from 'pino';
import { assessFlight } from '../models/score.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createKeystore } from './keys/keystore.ts';
import { connectRedis, untilReady } from './keys/redis.ts';
import { openLiveNews } from './live-news.ts';
import { startServer, type RunningServer } from './server.ts';
import { openLiveFeed } from './live-feed.ts';
import { createLiveInputs } from './live-inputs.ts';
import { openStoreFeed } from './store-feed.ts';

/** How long the first answer may wait for Redis; without it we start all the same and say 503. */
const REDIS_WAIT_MS = 2_000;

export type RunningApi = { port: number; close: () => Promise<void> };

/** Joins the parts and listens; rejects when the port cannot be had. */
export async function serve(config: Config, log: Logger = logOf(config)): Promise<RunningApi> {
  const redis = connectRedis(config.redisUrl, log);
  // One of these connections reports an outage; the others would only repeat it.
  const connect = () => connectRedis(config.redisUrl);
  const feed = await openStoreFeed({ connect, storeDir: join(config.dataDir, 'store'), log });
  const now = () => new Date();
  const news = openLiveNews({ redis, connect, stores: feed, now, log });
  const live = openLiveFeed({ connect, log });
  const feeds = [feed, news, live];
  const app = createApp({
    feed,
    keys: createKeystore(redis),
    assess: assessFlight,
    liveInputs: createLiveInputs({ live, eventRisk: news.eventRisk, now }),
    hasModel: () => false,
    news: news.news,
    flightNews: news.flightNews,
    now,
    log,
  });
  await untilReady(redis, REDIS_WAIT_MS);
  const handle = app.callback();
  try {
    const server = await startServer((request, response) => void handle(request, response), config);
    log.info({ port: server.port, host: config.host }, 'api listening');
    return { port: server.port, close: () => closeInOrder(server, feeds, redis) };
  } catch (error) {
    await closeFeeds(feeds, redis);
    throw error;
  }
}

/** The API's log: JSON lines on standard output. */
export function logOf({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: logLevel, base: { service: 'api', pid: process.pid } });
}

type Feed = { close: () => Promise<void> };

async function closeInOrder(server: RunningServer, feeds: Feed[], redis: Redis): Promise<void> {
  await server.close();
  await closeFeeds(feeds, redis);
}

async function closeFeeds(feeds: Feed[], redis: Redis): Promise<void> {
  await Promise.all(feeds.map((feed) => feed.close()));
  redis.disconnect();
}
