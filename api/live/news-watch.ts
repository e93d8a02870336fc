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
  /** Last fetched airport status of the FAA; it may be old. */
  nas: NasStatus | undefined;
  /** Time of the last fetch of the general feeds (ISO). The news of single routes may be newer. */
  newsAt: string | undefined;
  /** The sha256 of each archived part: null if there is no data, undefined if the part is not archived. */
  archived: { news: string | null | undefined; nas: string | null | undefined };
};

export type NewsWatch = {
  /** Returns the current state. The object is new after every change. */
  current: () => NewsState;
  /**
   * Calls `done` after the next fetch of the route, successful or not. At that time, `current` already includes the
   * result of the fetch. Returns a function that unsubscribes.
   */
  onRoute: (route: string, done: () => void) => () => void;
  /** Resolves once the news are read. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

export type NewsWatchDeps = {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Archives the news, so that signed answers can be computed again. Absent in processes that do not sign answers. */
  archive?: ArchiveLivePart | undefined;
  log: Logger;
};

/** News and airport status as stored in Redis. */
export type NewsTexts = { news: string | null; nas: string | null; newsAt: string | null };

/** Parses the texts from Redis. */
export function newsStateOf({ news, nas, newsAt }: NewsTexts): NewsState {
  return {
    index: indexNews(filterOngoing(readNewsList(news))),
    nas: readNasStatus(nas),
    newsAt: newsAt ?? undefined,
    archived: { news: null, nas: null },
  };
}

/** Redis is also read at this interval, in ms, because a message about a change can get lost. */
const REFRESH_EVERY_MS = 60_000;

/** Keeps a copy of the news in memory. While Redis is unavailable, the last news stay in use. */
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
      news: (json === lastItems ? state.archived.news : undefined) ?? (await archive(json)),
      nas: (nas === lastNas ? state.archived.nas : undefined) ?? (await archive(nas)),
    };
    signal.throwIfAborted();
    state = { ...state, archived: parts };
    // The fetch times in Redis are deleted when there are too many of them. Then the last known time stays in use.
    if (newsAt !== null && newsAt !== state.newsAt) state = { ...state, newsAt };
    if (nas !== lastNas) {
      lastNas = nas;
      state = { ...state, nas: readNasStatus(nas) };
    }
    if (json === lastItems) return;
    lastItems = json;
    const { index } = newsStateOf({ news: json, nas: null, newsAt: null });
    state = { ...state, index };
    log.debug({ items: state.index.count }, 'news loaded');
  };
  const refresh = async (context: Refresh) => {
    try {
      await read(context);
    } finally {
      // Notifies callers that wait for news of these routes, even if the read failed.
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
