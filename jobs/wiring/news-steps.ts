import { readFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { createGuardedFetch } from '../../pipelines/fetch-guarded.ts';
import { createFeedReader, FEED_LIMITS } from '../../pipelines/news/feed-reader.ts';
import { BUILT_IN_FEEDS, readFeeds, type Feeds } from '../../pipelines/news/feeds.ts';
import { createGazetteer, type Gazetteer } from '../../pipelines/news/gazetteer.ts';
import { createLlmSummary, type LlmConfig } from '../../pipelines/news/llm-summary.ts';
import { openFeedParser } from '../../pipelines/news/parser-thread.ts';
import { createNewsSteps } from '../../pipelines/news/refresh.ts';
import { builtInSummary } from '../../pipelines/news/summarise.ts';
import { NAS_LIMITS, refreshNas } from '../../pipelines/nas/refresh.ts';
import type { NewsSteps } from '../../pipelines/news/types.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { readNamedAirlines } from '../../warehouse/reference/airlines.ts';
import { saveNasStatus } from '../../warehouse/live/nas.ts';
import type { Airport } from '../../warehouse/store/types.ts';
import { createNewsStorage } from './news-storage.ts';
import { readScheduledAirports } from '../../warehouse/reference/airports.ts';

export type NewsConfig = {
  /** Addresses of feeds, or the path of a file with addresses. If absent, the built-in feeds are used. */
  newsFeeds?: string | undefined;
  /** If absent, the built-in summaries are used. */
  llm?: LlmConfig | undefined;
  /** If absent, the FAA's airport status is not fetched. */
  nasStatusUrl?: string | undefined;
  offline: boolean;
};

/** Creates the steps that save news and the airport status in Redis. Loads and reads nothing before the first fetch. */
export function createNews(
  config: NewsConfig,
  redis: Redis,
): NewsSteps & Pick<PipelineSteps, 'refreshNas'> {
  const now = () => new Date();
  const storage = createNewsStorage(redis);
  const fetch = createGuardedFetch(FEED_LIMITS);
  const read = createFeedReader({ fetch, storage, now });
  const names = loadOnce(loadNames);
  const steps = loadOnce(async () =>
    createNewsSteps({
      feeds: await feedsOf(config.newsFeeds),
      read: config.offline ? undefined : read,
      openParser: () => openFeedParser(),
      gazetteer: async () => (await names()).gazetteer,
      airport: async (iata) => (await names()).airports.get(iata),
      summariser: () =>
        config.llm === undefined
          ? async (item) => builtInSummary(item)
          : createLlmSummary(config.llm),
      storage,
      now,
    }),
  );
  return {
    refreshNews: async (progress) => (await steps()).refreshNews(progress),
    refreshRouteNews: async (route) => {
      try {
        return await (await steps()).refreshRouteNews(route);
      } catch (error) {
        // As soon as the failure is noted, callers that wait for this fetch are answered from the cache.
        await storage.noteFailed(route);
        throw error;
      }
    },
    refreshNas: () =>
      refreshNas({
        url: config.offline ? undefined : config.nasStatusUrl,
        fetch: createGuardedFetch(NAS_LIMITS),
        save: (status) => saveNasStatus(redis, status),
        now,
      }),
  };
}

async function feedsOf(setting: string | undefined): Promise<Feeds> {
  if (setting === undefined) return BUILT_IN_FEEDS;
  // An address is never read as a path, because the error for a missing file would show the keys in the address.
  if (setting.includes('://')) return readFeeds(setting);
  return readFeeds(
    await readFile(setting, 'utf8').catch((cause: unknown) => {
      throw new Error(`NEWS_FEEDS: the file ${setting} cannot be read`, { cause });
    }),
  );
}

async function loadNames(): Promise<{ gazetteer: Gazetteer; airports: Map<string, Airport> }> {
  const airports = await readScheduledAirports();
  return {
    gazetteer: createGazetteer({ airports, airlines: readNamedAirlines() }),
    airports: new Map(airports.map((airport) => [airport.iata, airport])),
  };
}
