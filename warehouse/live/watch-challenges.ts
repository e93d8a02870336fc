import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A request from the API to a worker to send a challenge to an address. Only workers call other servers. */
export type ChallengeRequest = { id: string; url: string; secret: string };

/**
 * `proven`: the address echoed the challenge. `invalid`: the address must not be called. `failed`: the address did not
 * echo the challenge. `offline`: the worker must not call other servers.
 */
export type ChallengeReply = {
  outcome: 'proven' | 'invalid' | 'failed' | 'offline';
  reason?: string;
};

/** List of requests as JSON, newest first. */
const REQUESTS = 'hw:watches:challenges';
const replyKey = (id: string) => `hw:watches:challenge:${id}`;

/** Time in ms for which the API waits for the reply. A worker waits for the receiver for a shorter time. */
export const CHALLENGE_WAIT_MS = 7_000;
/**
 * Expiry of requests and replies in seconds. It is longer than the time that the API waits for a reply. If no worker
 * runs, the expiry removes the requests.
 */
const LIFETIME_S = 10;
/** Number of challenges that an account can have at the same time. */
const SLOTS = 2;
const slotKey = (account: string, slot: number) => `hw:watches:challenge:slot:${account}:${slot}`;

/** Takes one of the account's slots for challenges; undefined if all slots are taken. */
export async function takeChallengeSlot(
  redis: Pick<Redis, 'set'>,
  account: string,
): Promise<string | undefined> {
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const key = slotKey(account, slot);
    if ((await redis.set(key, '1', 'EX', LIFETIME_S, 'NX')) !== null) return key;
  }
  return undefined;
}

/** Releases a slot. A slot that is not released expires. */
export async function releaseChallengeSlot(redis: Pick<Redis, 'del'>, slot: string): Promise<void> {
  await redis.del(slot);
}

/**
 * An entry in the list of requests. `requestedAtMs` is the time of the Redis server, because API and workers may have
 * different clocks.
 */
type RequestEntry = ChallengeRequest & { requestedAtMs: number };

/** Requests a challenge and returns the id of the request. */
export async function requestChallenge(
  redis: Pick<Redis, 'multi' | 'time'>,
  request: Omit<ChallengeRequest, 'id'>,
): Promise<string> {
  const id = randomUUID();
  const entry: RequestEntry = { id, ...request, requestedAtMs: await readClockMs(redis) };
  await redis.multi().lpush(REQUESTS, JSON.stringify(entry)).expire(REQUESTS, LIFETIME_S).exec();
  return id;
}

/**
 * Waits for the next request. Undefined if no request comes within `waitS` seconds. Also undefined if the request is so
 * old that the API no longer waits for the reply.
 */
export async function takeChallenge(
  redis: Pick<Redis, 'brpop' | 'time'>,
  waitS: number,
): Promise<ChallengeRequest | undefined> {
  const entry = await redis.brpop(REQUESTS, waitS);
  if (entry === null) return undefined;
  const { requestedAtMs, ...request } = JSON.parse(entry[1]) as RequestEntry;
  return (await readClockMs(redis)) - requestedAtMs > CHALLENGE_WAIT_MS ? undefined : request;
}

/** Replies to a request. */
export async function replyToChallenge(
  redis: Pick<Redis, 'set'>,
  id: string,
  reply: ChallengeReply,
): Promise<void> {
  await redis.set(replyKey(id), JSON.stringify(reply), 'EX', LIFETIME_S);
}

/** Reads the reply to a request; undefined while there is no reply. */
export async function readChallengeReply(
  redis: Pick<Redis, 'get'>,
  id: string,
): Promise<ChallengeReply | undefined> {
  const text = await redis.get(replyKey(id));
  return text === null ? undefined : (JSON.parse(text) as ChallengeReply);
}

async function readClockMs(redis: Pick<Redis, 'time'>): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
