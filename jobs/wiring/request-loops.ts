import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';

const WAIT_S = 1;
const REDIS_RETRY_MS = 500;

type RequestLoops<Request> = {
  /** Name of the loops; part of the names of their Redis connections. */
  name: string;
  /** Requests that one worker answers at the same time. */
  concurrency: number;
  /** Waits this long for the next request; undefined if no request arrives. */
  take: (redis: Redis, waitS: number) => Promise<Request | undefined>;
  answer: (request: Request, redis: Redis) => Promise<void>;
  /** Called if taking or answering fails. The loop then waits a moment and goes on. */
  onFailure?: (err: unknown) => void;
};

/**
 * Answers requests that the API puts into a list of Redis. The requests bypass the job queues, because a caller waits
 * for each answer.
 */
export function openRequestLoops<Request>(
  redisUrl: string,
  { name, concurrency, take, answer, onFailure }: RequestLoops<Request>,
): { close: () => Promise<void> } {
  const closing = new AbortController();
  const loops = Array.from({ length: concurrency }, async () => {
    // Each loop needs its own connection, because BRPOP blocks it.
    const redis = openRedisClient(redisUrl, {
      connectionName: `headwind-${name}-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => REDIS_RETRY_MS,
    });
    redis.on('error', () => undefined);
    closing.signal.addEventListener('abort', () => redis.disconnect());
    while (!closing.signal.aborted) {
      try {
        const request = await take(redis, WAIT_S);
        if (request !== undefined) await answer(request, redis);
      } catch (err) {
        if (closing.signal.aborted) return;
        onFailure?.(err);
        await sleep(REDIS_RETRY_MS, undefined, { ref: false });
      }
    }
  });
  return {
    close: async () => {
      closing.abort();
      await Promise.all(loops);
    },
  };
}
