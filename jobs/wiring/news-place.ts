import type { Redis } from 'ioredis';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import { formerKey, getEither } from '../../warehouse/live/former-keys.ts';
import {
  NEWS_ASKED_IN_VAIN,
  NEWS_CHANNEL,
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  newsAskedKey,
  readNewsList,
  type NewsItem,
} from '../../warehouse/live/news.ts';
import type { FeedVersion, NewsPlace } from '../../pipelines/news/types.ts';

const VERSIONS_KEY = 'hw:news:feeds';
/** Routes whose fetch time is kept; more than that many are asked for in two days by nobody we know. */
const MAX_ROUTES = 20_000;
/** Feeds whose version is kept; a search for a route is one. */
const MAX_VERSIONS = 5_000;

/** Replaces the items when they are still those that were read, so that two workers lose nothing to each other. */
const REPLACE_IF_SAME = `
local kept = redis.call('get', KEYS[1])
if (kept or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2])
redis.call('publish', KEYS[2], '')
return 1`;

const MAX_TRIES = 20;

/** The news in Redis. Nothing in it grows without bound. */
export function createNewsPlace(redis: Redis): NewsPlace {
  const bounded = async (hash: string, most: number) => {
    // What is dropped is fetched again when it is asked for.
    if ((await redis.hlen(hash)) > most) await redis.del(hash);
  };
  return {
    items: async () => readNewsList(await getEither(redis, NEWS_ITEMS_KEY)),
    changeItems: async (change) => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const before = (await redis.get(NEWS_ITEMS_KEY)) ?? '';
        const known = before || (await redis.get(formerKey(NEWS_ITEMS_KEY)));
        const items: NewsItem[] = change(readNewsList(known));
        const after = JSON.stringify(items);
        const keys = [NEWS_ITEMS_KEY, NEWS_CHANNEL];
        if ((await redis.eval(REPLACE_IF_SAME, 2, ...keys, before, after)) === 1) return items;
      }
      throw new Error('the news changed under every try to change them');
    },
    version: async (feed) => {
      // Without items a feed that has not changed would bring none back.
      if ((await redis.exists(NEWS_ITEMS_KEY)) === 0) return {};
      const json = await redis.hget(VERSIONS_KEY, keyOf(feed));
      return json === null ? {} : (JSON.parse(json) as FeedVersion);
    },
    keepVersion: async (feed, version) => {
      await bounded(VERSIONS_KEY, MAX_VERSIONS);
      await redis.hset(VERSIONS_KEY, keyOf(feed), JSON.stringify(version));
    },
    noteFetched: async (route, at) => {
      await bounded(NEWS_ROUTES_KEY, MAX_ROUTES);
      await redis.hset(NEWS_ROUTES_KEY, route, at.toISOString());
      await redis.publish(NEWS_CHANNEL, route);
    },
    noteFailed: async (route) => {
      // Whoever asks within the same minute need not wait for what does not come.
      await redis.set(newsAskedKey(route), NEWS_ASKED_IN_VAIN, 'KEEPTTL', 'XX');
      await redis.publish(NEWS_CHANNEL, route);
    },
  };
}

function keyOf(feed: string): string {
  return sha256(feed).slice(0, 16);
}
