import type { NewsItem } from '../../warehouse/live/news.ts';
import type { FeedVersion, NewsPlace } from '../../pipelines/news/types.ts';

/** A place for the news in memory, with what it was told. */
export type MemoryNews = NewsPlace & { kept: NewsItem[]; fetched: string[]; failed: string[] };

/** A place for the news in memory. */
export function memoryNews(): MemoryNews {
  const versions = new Map<string, FeedVersion>();
  const place: MemoryNews = {
    kept: [],
    fetched: [],
    failed: [],
    items: async () => place.kept,
    changeItems: async (change) => {
      place.kept = change(place.kept);
      return place.kept;
    },
    version: async (feed) => versions.get(feed) ?? {},
    keepVersion: async (feed, version) => void versions.set(feed, version),
    noteFetched: async (route) => void place.fetched.push(route),
    noteFailed: async (route) => void place.failed.push(route),
  };
  return place;
}
