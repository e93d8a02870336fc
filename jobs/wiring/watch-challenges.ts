import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { proveAddress, type ChallengeDeps } from '../../pipelines/watches/challenge.ts';
import { replyToChallenge, takeChallenge } from '../../warehouse/live/watch-challenges.ts';

/** Challenges that one worker sends at the same time. Callers wait for them. */
const CONCURRENCY = 4;
const WAIT_S = 1;
const REDIS_RETRY_MS = 500;

/** Sends the challenges that the API requests. They bypass the job queues because a caller waits for the answer. */
export function serveChallenges(
  redisUrl: string,
  { log, ...deps }: ChallengeDeps & { log: Pick<Logger, 'warn'> },
): { close: () => Promise<void> } {
  const closing = new AbortController();
  const loops = Array.from({ length: CONCURRENCY }, async () => {
    // Each loop needs its own connection, because BRPOP blocks it.
    const redis = openRedisClient(redisUrl, {
      connectionName: `headwind-challenges-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => REDIS_RETRY_MS,
    });
    redis.on('error', () => undefined);
    closing.signal.addEventListener('abort', () => redis.disconnect());
    while (!closing.signal.aborted) {
      try {
        const request = await takeChallenge(redis, WAIT_S);
        if (!request) continue;
        await replyToChallenge(redis, request.id, await proveAddress(request, deps));
      } catch (err) {
        if (closing.signal.aborted) return;
        log.warn({ err }, 'challenge not sent');
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
