import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import type { Logger } from 'pino';
import type { NewsSteps } from '../../pipelines/news/types.ts';
import {
  NEWS_LISTENER_KEY,
  NEWS_LISTENER_S,
  NEWS_REQUESTS_KEY,
  parseNewsRequest,
  type NewsRequest,
} from '../../warehouse/live/news.ts';

export type NewsRequests = { close: () => Promise<void> };

/** Routes that one worker fetches at the same time. */
const CONCURRENCY = 2;
const WAIT_S = 1;
const REDIS_RETRY_MS = 500;

/**
 * Fetches the news of routes that the API requests. These requests bypass the job queues because a caller waits for
 * the answer. If a worker is killed while it processes a request, the API requests the route again a minute later.
 */
export function serveNewsRequests(
  redisUrl: string,
  { steps, log }: { steps: Pick<NewsSteps, 'refreshRouteNews'>; log: Logger },
): NewsRequests {
  const closing = new AbortController();
  const loops = Array.from({ length: CONCURRENCY }, async () => {
    // Each loop needs its own connection, because BRPOP blocks it.
    const redis = openRedisClient(redisUrl, {
      connectionName: `headwind-news-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => REDIS_RETRY_MS,
    });
    redis.on('error', () => undefined);
    closing.signal.addEventListener('abort', () => redis.disconnect());
    while (!closing.signal.aborted) {
      const request = await nextRequest(redis, closing.signal);
      if (request !== undefined) await answer(request);
    }
  });

  const answer = async ({ route, requestId }: NewsRequest) => {
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

async function nextRequest(redis: Redis, signal: AbortSignal): Promise<NewsRequest | undefined> {
  try {
    await redis.set(NEWS_LISTENER_KEY, '1', 'EX', NEWS_LISTENER_S);
    const entry = await redis.brpop(NEWS_REQUESTS_KEY, WAIT_S);
    return parseNewsRequest(entry?.[1] ?? '');
  } catch {
    if (!signal.aborted) await sleep(REDIS_RETRY_MS, undefined, { ref: false });
    return undefined;
  }
}
