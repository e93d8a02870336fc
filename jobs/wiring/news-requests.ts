import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import type { Logger } from 'pino';
import type { NewsSteps } from '../../pipelines/news/types.ts';
import { formerKey } from '../../warehouse/live/former-keys.ts';
import {
  NEWS_LISTENER_KEY,
  NEWS_LISTENER_S,
  NEWS_WANTED_KEY,
  readNewsWish,
  type NewsWish,
} from '../../warehouse/live/news.ts';

export type NewsRequests = { close: () => Promise<void> };

/** Routes fetched at once in one worker. */
const AT_ONCE = 2;
const WAIT_S = 1;
const REDIS_RETRY_MS = 500;

/**
 * Fetches the news of the routes the API asks for, as they come: somebody waits for the answer, so they go by no queue.
 * A request lost with its worker is asked again a minute later.
 */
export function answerNewsRequests(
  redisUrl: string,
  { steps, log }: { steps: Pick<NewsSteps, 'refreshRouteNews'>; log: Logger },
): NewsRequests {
  const closing = new AbortController();
  const loops = Array.from({ length: AT_ONCE }, async () => {
    // A connection of its own: waiting for an entry blocks it.
    const redis = openRedisClient(redisUrl, {
      connectionName: `headwind-news-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => REDIS_RETRY_MS,
    });
    redis.on('error', () => undefined);
    closing.signal.addEventListener('abort', () => redis.disconnect());
    while (!closing.signal.aborted) {
      const wish = await nextWish(redis, closing.signal);
      if (wish !== undefined) await answer(wish);
    }
  });

  const answer = async ({ route, requestId }: NewsWish) => {
    try {
      const { failed, relevant } = await steps.refreshRouteNews(route);
      log.info({ id: requestId, route, failed, relevant }, 'news of a route fetched');
    } catch (err) {
      log.warn({ id: requestId, route, err }, 'news of a route not fetched');
    }
  };

  return {
    close: async () => {
      closing.abort();
      await Promise.all(loops);
    },
  };
}

async function nextWish(redis: Redis, signal: AbortSignal): Promise<NewsWish | undefined> {
  try {
    await redis.set(NEWS_LISTENER_KEY, '1', 'EX', NEWS_LISTENER_S);
    const entry = await redis.brpop(NEWS_WANTED_KEY, formerKey(NEWS_WANTED_KEY), WAIT_S);
    return readNewsWish(entry?.[1] ?? '');
  } catch {
    if (!signal.aborted) await sleep(REDIS_RETRY_MS, undefined, { ref: false });
    return undefined;
  }
}
