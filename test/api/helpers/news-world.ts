import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';
import { openLiveNews } from '../../../api/live/live-news.ts';
import { serveNewsRequests } from '../../../jobs/wiring/news-requests.ts';
import { createNewsStorage } from '../../../jobs/wiring/news-storage.ts';
import { assessFlight } from '../../../models/score.ts';
import type { NewsReport } from '../../../pipelines/news/types.ts';
import { NEWS_CHANNEL, NEWS_LISTENER_KEY } from '../../../warehouse/live/news.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aStore } from '../../helpers/store.ts';
import { anApi, captureLog } from './app.ts';

const log = pino({ level: 'silent' });
const REPORT: NewsReport = { feeds: 1, failed: [], read: 1, relevant: 1, kept: 1 };
/** The store of every world. */
export const NEWS_STORE = aStore();

/** A Redis with stored news, and functions that start APIs and workers on it. */
export async function aNewsWorld(t: ExecutionContext, server?: { url: string }) {
  const { url } = server ?? (await borrowRedis((stop) => t.teardown(stop)));
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  const place = createNewsStorage(redis);
  const clock = { now: () => new Date() };
  let apis = 0;
  let workers = 0;

  /** Starts an API. The default wait is long, so that a worker can answer even on a busy machine. */
  const api = async (maxWaitMs = 30_000) => {
    const connection = connectRedis(url);
    t.teardown(() => connection.disconnect());
    await waitUntilReady(connection, 60_000);
    const connect = () => connectRedis(url);
    const live = openLiveNews({
      redis: connection,
      connect,
      stores: { current: () => NEWS_STORE },
      now: () => clock.now(),
      log,
      maxWaitMs,
    });
    t.teardown(live.close);
    apis += 1;
    // An API that subscribes too late would miss the message and wait in vain.
    while (Number((await redis.pubsub('NUMSUB', NEWS_CHANNEL))[1]) < apis) await sleep(10);
    if (workers > 0) while ((await redis.exists(NEWS_LISTENER_KEY)) === 0) await sleep(10);
    const call = anApi({
      stores: { current: () => NEWS_STORE },
      news: live.news,
      flightNews: live.flightNews,
      eventSources: live.eventSources,
      liveInputs: (query, store) => {
        const danger = live.danger(query, store);
        return danger ? { danger } : {};
      },
      assess: assessFlight,
      now: () => clock.now(),
    });
    return { live, call };
  };

  const workerLog = captureLog();

  /** Starts a worker that answers requests with `fetch`. */
  const worker = (fetch: (route: string) => Promise<void>) => {
    const fetched: string[] = [];
    const refreshRouteNews = async (route: string) => {
      fetched.push(route);
      await fetch(route);
      return REPORT;
    };
    const requests = serveNewsRequests(url, { steps: { refreshRouteNews }, log: workerLog.log });
    t.teardown(requests.close);
    workers += 1;
    return fetched;
  };
  return { redis, place, clock, api, worker, workerLines: workerLog.lines };
}
