import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import {
  CHALLENGE_WAIT_MS,
  readChallengeReply,
  releaseChallengeSlot,
  requestChallenge,
  takeChallengeSlot,
  type ChallengeReply,
} from '../../warehouse/live/watch-challenges.ts';
import { RequestError } from '../errors.ts';

/** Maximum time in ms to wait for a free slot while the account's other challenges are running. */
const SLOT_WAIT_MS = 2_000;
const POLL_MS = 50;

/** `clockMs` returns a time in ms that only grows. */
type Waiting = { redis: Redis; clockMs: () => number };

/**
 * Runs `work` when the account has a free slot for a challenge. Slots prevent the slow receivers of one account from
 * delaying other accounts.
 */
export async function withChallengeSlot(
  { redis, clockMs }: Waiting,
  account: string,
  work: () => Promise<void>,
): Promise<void> {
  const until = clockMs() + SLOT_WAIT_MS;
  while (clockMs() < until) {
    const slot = await takeChallengeSlot(redis, account);
    if (slot === undefined) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      await releaseChallengeSlot(redis, slot);
    }
  }
  throw busyChallenges();
}

/**
 * Makes a worker send a challenge to the address. Throws a `RequestError` if the receiver does not echo the challenge.
 */
export async function prove(
  { redis, clockMs }: Waiting,
  challenge: { url: string; secret: string },
): Promise<void> {
  const until = clockMs() + CHALLENGE_WAIT_MS;
  const id = await requestChallenge(redis, challenge);
  for (let isLast = false; !isLast;) {
    // If this process stalls, the deadline may pass although the reply came in time. The reply is therefore read once
    // more after the deadline.
    isLast = clockMs() >= until;
    const reply = await readChallengeReply(redis, id);
    if (reply?.outcome === 'proven') return;
    if (reply) throw refusal(reply);
    if (!isLast) await sleep(POLL_MS);
  }
  throw new RequestError(
    503,
    'service_unavailable',
    'No worker sent the challenge to the address in time. Try again later; the operator of this server sees why in `make status`.',
  );
}

function refusal({ outcome, reason = '' }: ChallengeReply): RequestError {
  const param = 'url';
  if (outcome === 'offline') {
    return new RequestError(
      501,
      'not_available',
      'This server sends no messages, because its outbound calls are switched off (OFFLINE=1). Its operator can switch them on.',
    );
  }
  if (outcome === 'invalid') {
    return new RequestError(400, 'invalid_parameter', `url ${reason}.`, { param });
  }
  const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new RequestError(400, 'challenge_failed', message, { param });
}

function busyChallenges(): RequestError {
  return new RequestError(
    429,
    'rate_limit_exceeded',
    'Other addresses of this account are being verified. Try again in a few seconds.',
    { headers: { 'Retry-After': String(CHALLENGE_WAIT_MS / 1_000) } },
  );
}
