import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import pino from 'pino';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';
import { watchForecasts } from '../../../api/live/forecast-watch.ts';
import { createLiveInputs } from '../../../api/live/live-inputs.ts';
import { openLiveNews } from '../../../api/live/live-news.ts';
import { createNewsStorage } from '../../../jobs/wiring/news-storage.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { createFeedReader } from '../../../pipelines/news/feed-reader.ts';
import type { Gazetteer } from '../../../pipelines/news/gazetteer.ts';
import { openFeedParser } from '../../../pipelines/news/parser-thread.ts';
import { createNewsSteps } from '../../../pipelines/news/refresh.ts';
import { builtInSummary } from '../../../pipelines/news/summarise.ts';
import { refreshWeather, weatherPolicy } from '../../../pipelines/weather/refresh.ts';
import { refreshNas } from '../../../pipelines/nas/refresh.ts';
import { saveNasStatus } from '../../../warehouse/live/nas.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { FlightQuery } from '../../../models/types.ts';
import { saveForecasts } from '../../../warehouse/live/forecasts.ts';
import { JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aStore } from '../../helpers/store.ts';
import { anApi, NOW } from './app.ts';

const fetchWithin = (deadlineMs: number) => createGuardedFetch({ deadlineMs, maxBytes: 2_000_000 });
const [fetchFast, fetchPatiently] = [fetchWithin(1_000), fetchWithin(30_000)];
/**
 * Fetches with a short deadline from addresses that never answer, and with a long deadline from other addresses,
 * because the machine may be busy.
 */
const fetch: GuardedFetch = (request) =>
  (/never-answers|trickle/.test(request.url) ? fetchFast : fetchPatiently)(request);

const log = pino({ level: 'silent' });

/** A store with typical weather of JFK, but not of LAX. */
const STORE = {
  ...aStore(),
  climatology: (iata: string) => (iata === 'JFK' ? { risk: 0.1, tempMeanC: 5 } : undefined),
};

/**
 * Starts an API on a Redis, and returns functions that refresh its live data like a worker. The API and the functions
 * use `clock`.
 */
export async function liveWorld(
  t: ExecutionContext,
  gazetteer?: Gazetteer,
  changes: { store?: ScoreStore } & Partial<ApiDeps> = {},
) {
  const { store = STORE, ...deps } = changes;
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const clock = { now: NOW };
  const now = () => clock.now;
  const connect = () => connectRedis(server.url, log);
  const connection = connect();
  t.teardown(() => connection.disconnect());
  await waitUntilReady(connection, 60_000);
  const live = watchForecasts({ connect, log });
  t.teardown(live.close);
  const news = openLiveNews({
    redis: connection,
    connect,
    stores: { current: () => store },
    now,
    log,
  });
  t.teardown(news.close);
  const liveInputs = createLiveInputs({ live, danger: news.danger, now });
  const sendRequest = anApi({
    stores: { current: () => store },
    liveInputs,
    eventSources: news.eventSources,
    now,
    ...deps,
  });
  return {
    redis,
    clock,
    sendRequest,
    /** Refreshes the forecasts of both airports and waits until the API has them. */
    refreshForecasts: async (base: string) => {
      await refreshWeather(
        {
          forecastUrl: `${base}/v1/forecast`,
          fetch,
          places: async () => [JFK, LAX],
          budget: {
            take: async () => true,
            pause: async () => undefined,
            pausedMs: async () => 0,
          },
          policy: weatherPolicy(() => 0, 1),
          saveForecasts: (forecasts) => saveForecasts(redis, forecasts),
          pauseMs: 0,
          sleep,
          now,
        },
        () => undefined,
      );
      while (live.forecast('JFK')?.fetchedAt !== now().toISOString()) await sleep(10);
    },
    /** Deletes all news. */
    forgetNews: () => createNewsStorage(redis).changeItems(() => []),
    /** Returns the current danger from events for a flight, as the API computes it. */
    danger: (query: FlightQuery) => news.danger(query, store),
    /** Refreshes the airport status from the address. */
    refreshStatus: async (url: string) => {
      await refreshNas({ url, fetch, save: (status) => saveNasStatus(redis, status), now });
    },
    /** Refreshes the news from the feeds. */
    refreshNews: async (general: string[]) => {
      if (!gazetteer) throw new Error('the gazetteer is missing');
      const place = createNewsStorage(redis);
      const steps = createNewsSteps({
        feeds: { general, perRoute: [] },
        read: createFeedReader({ fetch, storage: place, now, retryMs: 1 }),
        openParser: () => openFeedParser(),
        gazetteer: async () => gazetteer,
        airport: async () => undefined,
        summariser: () => async (item) => builtInSummary(item),
        storage: place,
        now,
      });
      return { report: await steps.refreshNews(() => undefined), items: await place.items() };
    },
  };
}
