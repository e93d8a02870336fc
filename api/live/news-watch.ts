import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { getEither, hgetEither } from '../../warehouse/live/former-keys.ts';
import { NAS_STATUS_KEY, readNasStatus, type NasStatus } from '../../warehouse/live/nas.ts';
import {
  NEWS_CHANNEL,
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  ongoing,
  readNewsList,
} from '../../warehouse/live/news.ts';
import { indexNews, type NewsIndex } from './news-index.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Look } from '../redis-watch.ts';

export type Current = {
  index: NewsIndex;
  /** The airport status of the FAA as it was fetched last; it may be old. */
  nas: NasStatus | undefined;
  /** When the general feeds were fetched last (ISO); those of a route may be younger. */
  newsAt: string | undefined;
};

export type NewsWatch = {
  /** What to answer from; another object whenever any of it changes. */
  current: () => Current;
  /** Calls back once the news of the route were fetched, or could not be, and are in `current`. */
  onRoute: (route: string, done: () => void) => () => void;
  close: () => Promise<void>;
};

export type NewsWatchDeps = {
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  log: Logger;
};

/** How often the news are looked at in case a message was lost, in ms. */
const LOOK_EVERY_MS = 60_000;

/** Keeps the news in memory; what was there last stays while Redis is away. */
export function watchNews({ connect, log }: NewsWatchDeps): NewsWatch {
  const waiting = new Map<string, Set<() => void>>();
  let live: Current = { index: indexNews([]), nas: undefined, newsAt: undefined };
  let [last, lastNas]: (string | null | undefined)[] = [];

  const read = async ({ redis, signal }: Look) => {
    const [json, nas, newsAt] = await Promise.all([
      getEither(redis, NEWS_ITEMS_KEY),
      getEither(redis, NAS_STATUS_KEY),
      hgetEither(redis, NEWS_ROUTES_KEY, ''),
    ]);
    signal.throwIfAborted();
    // The hash is emptied when it grows too big; what is known of the news stays.
    if (newsAt !== null && newsAt !== live.newsAt) live = { ...live, newsAt };
    if (nas !== lastNas) {
      lastNas = nas;
      live = { ...live, nas: readNasStatus(nas) };
    }
    if (json === last) return;
    last = json;
    live = { ...live, index: indexNews(ongoing(readNewsList(json))) };
    log.debug({ items: live.index.count }, 'news loaded');
  };
  const look = async (at: Look) => {
    try {
      await read(at);
    } finally {
      // Whoever waits for a route sees what its fetch brought, and goes on without when it could not be read.
      for (const route of at.messages) for (const done of waiting.get(route) ?? []) done();
    }
  };
  const watch = watchRedis({
    connect,
    channel: NEWS_CHANNEL,
    everyMs: LOOK_EVERY_MS,
    look,
    failed: (error) => log.warn({ error: describeError(error) }, 'news not read'),
  });

  return {
    current: () => live,
    onRoute: (route, done) => {
      const others = waiting.get(route) ?? new Set();
      waiting.set(route, others.add(done));
      return () => {
        others.delete(done);
        if (others.size === 0) waiting.delete(route);
      };
    },
    close: watch.close,
  };
}
