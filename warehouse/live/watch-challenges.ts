import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * The challenges of watches in Redis. The API requests that a worker sends a challenge to an address, because only
 * workers make outbound calls.
 */
export type ChallengeRequest = { id: string; url: string; secret: string };

/** `proven`: the address echoed the challenge. `invalid`: the address must not be called. */
export type ChallengeReply = { outcome: 'proven' | 'invalid' | 'failed'; reason?: string };

/** List of requests as JSON, newest first. */
const REQUESTS = 'hw:watches:challenges';
const replyKey = (id: string) => `hw:watches:challenge:${id}`;

/** The caller stops waiting before this time. Without workers the requests must not remain. */
const LIFETIME_S = 10;

/** Requests a challenge; returns its id. */
export async function requestChallenge(
  redis: Pick<Redis, 'multi'>,
  request: Omit<ChallengeRequest, 'id'>,
): Promise<string> {
  const id = randomUUID();
  await redis
    .multi()
    .lpush(REQUESTS, JSON.stringify({ id, ...request }))
    .expire(REQUESTS, LIFETIME_S)
    .exec();
  return id;
}

/** Waits for the next request; undefined if there is none within the time. */
export async function takeChallenge(
  redis: Pick<Redis, 'brpop'>,
  waitS: number,
): Promise<ChallengeRequest | undefined> {
  const entry = await redis.brpop(REQUESTS, waitS);
  return entry === null ? undefined : (JSON.parse(entry[1]) as ChallengeRequest);
}

/** Replies to a request. */
export async function replyToChallenge(
  redis: Pick<Redis, 'set'>,
  id: string,
  reply: ChallengeReply,
): Promise<void> {
  await redis.set(replyKey(id), JSON.stringify(reply), 'EX', LIFETIME_S);
}

/** Reads the reply to a request; undefined before the reply. */
export async function readChallengeReply(
  redis: Pick<Redis, 'get'>,
  id: string,
): Promise<ChallengeReply | undefined> {
  const text = await redis.get(replyKey(id));
  return text === null ? undefined : (JSON.parse(text) as ChallengeReply);
}
