import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { NAS_STATUS_KEY, readNasStatus, type NasStatus } from '../../warehouse/live/nas.ts';
import {
  NEWS_CHANNEL,
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  filterOngoing,
  readNewsList,
} from '../../warehouse/live/news.ts';
import { indexNews, type NewsIndex } from './news-index.ts';
import { notArchived, type ArchiveLivePart } from './live-states.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Refresh } from '../redis-watch.ts';

export type NewsState = {
  index: NewsIndex;
  /** Airport status of the FAA at the last fetch; may be old. */
  nas: NasStatus | undefined;
  /** Time of the last fetch of the general feeds (ISO); the feeds of a route may be newer. */
  newsAt: string | undefined;
  /** The archived parts; null for absent data, undefined for data that are not archived. */
  archived: { news: string | null | undefined; nas: string | null | undefined };
};

export type NewsWatch = {
  /** Returns the current state, as a new object after every change. */
  current: () => NewsState;
  /**
   * Calls `done` when a fetch of the route has ended, with or without success, and `current` returns its result.
   * Returns a function that unsubscribes.
   */
  onRoute: (route: string, done: () => void) => () => void;
  /** Resolves once the news are read. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

export type NewsWatchDeps = {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Archives the news of former answers; absent in processes that do not sign answers. */
  archive?: ArchiveLivePart | undefined;
  log: Logger;
};

/** News and airport status as texts of Redis. */
export type NewsTexts = { news: string | null; nas: string | null; newsAt: string | null };

/** Returns the state of news that were read from these texts. */
export function newsStateOf({ news, nas, newsAt }: NewsTexts): NewsState {
  return {
    index: indexNews(filterOngoing(readNewsList(news))),
    nas: readNasStatus(nas),
    newsAt: newsAt ?? undefined,
    archived: { news: null, nas: null },
  };
}

/** Interval of refreshes in case a message was lost, in ms. */
const REFRESH_EVERY_MS = 60_000;

/** Keeps the news in memory. While Redis is unavailable, the last news stay in use. */
export function watchNews({ connect, archive = notArchived, log }: NewsWatchDeps): NewsWatch {
  const callbacksByRoute = new Map<string, Set<() => void>>();
  let state = newsStateOf({ news: null, nas: null, newsAt: null });
  let [lastItems, lastNas]: (string | null | undefined)[] = [];

  const read = async ({ redis, signal }: Refresh) => {
    const [json, nas, newsAt] = await Promise.all([
      redis.get(NEWS_ITEMS_KEY),
      redis.get(NAS_STATUS_KEY),
      redis.hget(NEWS_ROUTES_KEY, ''),
    ]);
    const parts = {
      news: json === lastItems ? state.archived.news : await archive(json),
      nas: nas === lastNas ? state.archived.nas : await archive(nas),
    };
    signal.throwIfAborted();
    // The Redis hash of fetch times is emptied when it grows too large. The last known time then stays in use.
    if (newsAt !== null && newsAt !== state.newsAt) state = { ...state, newsAt };
    if (nas !== lastNas) {
      lastNas = nas;
      state = { ...state, nas: readNasStatus(nas), archived: parts };
    }
    if (json === lastItems) return;
    lastItems = json;
    const { index } = newsStateOf({ news: json, nas: null, newsAt: null });
    state = { ...state, index, archived: parts };
    log.debug({ items: state.index.count }, 'news loaded');
  };
  const refresh = async (context: Refresh) => {
    try {
      await read(context);
    } finally {
      // Releases the callers that wait for a route, even when the read failed.
      for (const route of context.messages) {
        for (const done of callbacksByRoute.get(route) ?? []) done();
      }
    }
  };
  const watch = watchRedis({
    connect,
    channel: NEWS_CHANNEL,
    refreshEveryMs: REFRESH_EVERY_MS,
    refresh,
    onError: (error) => log.warn({ error: describeError(error) }, 'news not read'),
  });

  return {
    current: () => state,
    onRoute: (route, done) => {
      const callbacks = callbacksByRoute.get(route) ?? new Set();
      callbacksByRoute.set(route, callbacks.add(done));
      return () => {
        callbacks.delete(done);
        if (callbacks.size === 0) callbacksByRoute.delete(route);
      };
    },
    ready: watch.ready,
    close: watch.close,
  };
}
