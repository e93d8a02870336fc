import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import { DAY_MS } from '../ground/dates.ts';
import { sha256 } from '../ground/sha256.ts';

/** Holds the SHA-256 of the newest token; the token itself is kept nowhere. */
const KEY = 'hw:ops:entry';

/** Makes the token of a one-time address to the operators' pages. It lasts a day, and the one before is void. */
export async function newEntry(redis: Pick<Redis, 'set'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await redis.set(KEY, sha256(token), 'PX', DAY_MS);
  return token;
}

/** Whether this is the newest token and nobody used it before; afterwards it is used. */
export async function takeEntry(
  redis: Pick<Redis, 'get' | 'del'>,
  token: string,
): Promise<boolean> {
  const wanted = await redis.get(KEY);
  if (wanted === null) return false;
  // Two hashes in hexadecimal: equally long.
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(sha256(token)))) return false;
  // Of several processes that come this far with one token only one deletes it.
  return (await redis.del(KEY)) === 1;
}
