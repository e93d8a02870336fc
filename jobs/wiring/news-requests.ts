import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { NewsSteps } from '../../pipelines/news/types.ts';
import {
  NEWS_LISTENER_KEY,
  NEWS_LISTENER_S,
  NEWS_REQUESTS_KEY,
  parseNewsRequest,
  type NewsRequest,
} from '../../warehouse/live/news.ts';
import { openRequestLoops } from './request-loops.ts';

export type NewsRequests = { close: () => Promise<void> };

/**
 * Fetches the news of routes that the API requests. If a worker is killed during a request, the API requests the route
 * again a minute later.
 */
export function serveNewsRequests(
  redisUrl: string,
  { steps, log }: { steps: Pick<NewsSteps, 'refreshRouteNews'>; log: Logger },
): NewsRequests {
  return openRequestLoops(redisUrl, {
    name: 'news',
    concurrency: 2,
    take: takeNewsRequest,
    answer: async ({ route, requestId }) => {
      try {
        const { failed, relevant } = await steps.refreshRouteNews(route);
        log.info({ id: requestId, route, failed, relevant }, 'news of a route fetched');
      } catch (err) {
        log.warn({ id: requestId, route, err }, 'could not fetch the news of a route');
      }
    },
  });
}

async function takeNewsRequest(redis: Redis, waitS: number): Promise<NewsRequest | undefined> {
  await redis.set(NEWS_LISTENER_KEY, '1', 'EX', NEWS_LISTENER_S);
  const entry = await redis.brpop(NEWS_REQUESTS_KEY, waitS);
  return parseNewsRequest(entry?.[1] ?? '');
}
