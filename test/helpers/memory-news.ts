import type { NewsItem } from '../../warehouse/live/news.ts';
import type { FeedVersion, NewsStorage } from '../../pipelines/news/types.ts';

/** A storage of news in memory that records its calls. */
export type MemoryNews = NewsStorage & {
  storedItems: NewsItem[];
  fetchedRoutes: string[];
  failedRoutes: string[];
};

/** Creates an empty storage of news in memory. */
export function memoryNews(): MemoryNews {
  const versions = new Map<string, FeedVersion>();
  const storage: MemoryNews = {
    storedItems: [],
    fetchedRoutes: [],
    failedRoutes: [],
    items: async () => storage.storedItems,
    changeItems: async (change) => {
      storage.storedItems = change(storage.storedItems);
      return storage.storedItems;
    },
    version: async (feed) => versions.get(feed) ?? {},
    saveVersion: async (feed, version) => void versions.set(feed, version),
    noteFetched: async (route) => void storage.fetchedRoutes.push(route),
    noteFailed: async (route) => void storage.failedRoutes.push(route),
  };
  return storage;
}
