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
import { readScheduledAirports } from '../../warehouse/reference/scheduled-airports.ts';
import { saveNasStatus } from '../../warehouse/live/nas.ts';
import type { Airport } from '../../warehouse/store/types.ts';
import { createNewsPlace } from './news-place.ts';

export type NewsConfig = {
  /** Addresses, or the path of a file with them; absent: the built-in ones. */
  newsFeeds?: string | undefined;
  /** Absent: summaries are the built-in ones. */
  llm?: LlmConfig | undefined;
  /** Absent: the FAA is not asked. */
  nasStatusUrl?: string | undefined;
  offline: boolean;
};

/** How a worker fetches news and the airport status, and keeps them in Redis. Nothing is loaded or read before the first fetch. */
export function createNews(
  config: NewsConfig,
  redis: Redis,
): NewsSteps & Pick<PipelineSteps, 'refreshNas'> {
  const now = () => new Date();
  const place = createNewsPlace(redis);
  const fetch = createGuardedFetch(FEED_LIMITS);
  const read = createFeedReader({ fetch, place, now });
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
      place,
      now,
    }),
  );
  return {
    refreshNews: async (progress) => (await steps()).refreshNews(progress),
    refreshRouteNews: async (route) => {
      try {
        return await (await steps()).refreshRouteNews(route);
      } catch (error) {
        // Whoever waits for it is answered from the cache at once.
        await place.noteFailed(route);
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
  // Whatever looks like an address is none of a file, whose name an error would repeat with the keys in it.
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
