import type { Logger } from 'pino';
import { proveAddress, type ChallengeDeps } from '../../pipelines/watches/challenge.ts';
import { replyToChallenge, takeChallenge } from '../../warehouse/live/watch-challenges.ts';
import { openRequestLoops } from './request-loops.ts';

/** Sends the challenges that the API requests, and writes the replies to Redis. */
export function serveChallenges(
  redisUrl: string,
  { log, ...deps }: ChallengeDeps & { log: Pick<Logger, 'warn'> },
): { close: () => Promise<void> } {
  return openRequestLoops(redisUrl, {
    name: 'challenges',
    concurrency: 4,
    take: takeChallenge,
    answer: async (request, redis) =>
      replyToChallenge(redis, request.id, await proveAddress(request, deps)),
    onFailure: (err) => log.warn({ err }, 'challenge not sent'),
  });
}

/** Answers every request for a challenge without sending the challenge, because this server makes no outbound calls. */
export function refuseChallenges(
  redisUrl: string,
  { watchHosts, log }: { watchHosts: readonly string[]; log: Pick<Logger, 'warn'> },
): { close: () => Promise<void> } {
  const allowedHosts = new Set(watchHosts);
  return serveChallenges(redisUrl, { post: undefined, allowedHosts, now: () => new Date(), log });
}
