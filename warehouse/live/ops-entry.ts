import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import { DAY_MS } from '../ground/dates.ts';
import { sha256 } from '../ground/hashes.ts';

/** Key with the SHA-256 of the newest token. The token itself is not stored. */
const TOKEN_KEY = 'hw:ops:entry';

/**
 * Creates a token for a one-time link to the operators' pages. It is valid for a day. Earlier tokens become invalid.
 */
export async function createEntryToken(redis: Pick<Redis, 'set'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await redis.set(TOKEN_KEY, sha256(token), 'PX', DAY_MS);
  return token;
}

/** Uses up a token. Returns whether it was the newest token and had not been used. */
export async function consumeEntryToken(
  redis: Pick<Redis, 'get' | 'del'>,
  token: string,
): Promise<boolean> {
  const expected = await redis.get(TOKEN_KEY);
  if (expected === null) return false;
  // `timingSafeEqual` requires texts of equal length. Both hashes are in hex, so they are equally long.
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(sha256(token)))) return false;
  // If several processes use the same token at the same time, only the process that deletes the key succeeds.
  return (await redis.del(TOKEN_KEY)) === 1;
}

/** Operators' sessions, by the id in their cookie. Sessions expire. */
export type OpsSessions = {
  get: (id: string) => Promise<object | undefined>;
  set: (id: string, session: object, maxAgeMs: number) => Promise<void>;
  destroy: (id: string) => Promise<void>;
};

/** Stores sessions in Redis, for all API processes. Only the hash of an id is stored. */
export function opsSessions(redis: Redis): OpsSessions {
  const keyOf = (id: string) => `hw:ops:session:${sha256(id)}`;
  return {
    get: async (id) => {
      const text = await redis.get(keyOf(id));
      return text === null ? undefined : (JSON.parse(text) as object);
    },
    set: async (id, session, maxAgeMs) => {
      await redis.set(keyOf(id), JSON.stringify(session), 'PX', maxAgeMs);
    },
    destroy: async (id) => void (await redis.del(keyOf(id))),
  };
}
