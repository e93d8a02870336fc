import type { Redis } from 'ioredis';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import {
  NEWS_REQUEST_UNANSWERED,
  NEWS_CHANNEL,
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  newsRequestKey,
  readNewsList,
  type NewsItem,
} from '../../warehouse/live/news.ts';
import type { FeedVersion, NewsStorage } from '../../pipelines/news/types.ts';

const VERSIONS_KEY = 'hw:news:feeds';
/**
 * Maximum number of routes for which the time of the last fetch is stored. No known user requests this many routes in
 * two days.
 */
const MAX_ROUTES = 20_000;
/** Maximum number of feeds for which a version is stored. Each route has its own search, which counts as a feed. */
const MAX_VERSIONS = 5_000;

/**
 * Replaces the items only if they have not changed since they were read. Two workers then never overwrite each other's
 * items.
 */
const REPLACE_IF_SAME = `
local current = redis.call('get', KEYS[1])
if (current or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2])
redis.call('publish', KEYS[2], '')
return 1`;

const MAX_TRIES = 20;

/** Stores the news in Redis. The size of every key is limited. */
export function createNewsStorage(redis: Redis): NewsStorage {
  const clearIfFull = async (hash: string, limit: number) => {
    // Drops all entries if there are more than the limit. They are fetched again when they are requested.
    if ((await redis.hlen(hash)) > limit) await redis.del(hash);
  };
  return {
    items: async () => readNewsList(await redis.get(NEWS_ITEMS_KEY)),
    changeItems: async (change) => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const before = (await redis.get(NEWS_ITEMS_KEY)) ?? '';
        const items: NewsItem[] = change(readNewsList(before));
        const after = JSON.stringify(items);
        const keys = [NEWS_ITEMS_KEY, NEWS_CHANNEL];
        if ((await redis.eval(REPLACE_IF_SAME, 2, ...keys, before, after)) === 1) return items;
      }
      throw new Error(
        `the news was not saved: other workers changed it during each of ${MAX_TRIES} tries`,
      );
    },
    version: async (feed) => {
      // If the items are lost, feeds must be fetched again even if they have not changed.
      if ((await redis.exists(NEWS_ITEMS_KEY)) === 0) return {};
      const json = await redis.hget(VERSIONS_KEY, keyOf(feed));
      return json === null ? {} : (JSON.parse(json) as FeedVersion);
    },
    saveVersion: async (feed, version) => {
      await clearIfFull(VERSIONS_KEY, MAX_VERSIONS);
      await redis.hset(VERSIONS_KEY, keyOf(feed), JSON.stringify(version));
    },
    noteFetched: async (route, at) => {
      await clearIfFull(NEWS_ROUTES_KEY, MAX_ROUTES);
      await redis.hset(NEWS_ROUTES_KEY, route, at.toISOString());
      await redis.publish(NEWS_CHANNEL, route);
    },
    noteFailed: async (route) => {
      // Marks the request as failed, so that further requests in the same minute do not wait for it.
      await redis.set(newsRequestKey(route), NEWS_REQUEST_UNANSWERED, 'KEEPTTL', 'XX');
      await redis.publish(NEWS_CHANNEL, route);
    },
  };
}

function keyOf(feed: string): string {
  return sha256(feed).slice(0, 16);
}
