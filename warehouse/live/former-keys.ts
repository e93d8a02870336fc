import type { Redis } from 'ioredis';

/**
 * Where the version before this one kept a live value of ours. During an update its processes still run, and what they
 * left behind counts until it is fetched anew; nothing is written there any more.
 */
export function formerKey(key: string): string {
  return key.replace(/^hw:/, 'live:');
}

/** The text under that key, or under the former one while there is none; null when there is neither. */
export async function getEither(redis: Redis, key: string): Promise<string | null> {
  const [text, former] = await redis.mget(key, formerKey(key));
  return text ?? former ?? null;
}

/** The same of a field of a hash. */
export async function hgetEither(redis: Redis, key: string, field: string): Promise<string | null> {
  return (await redis.hget(key, field)) ?? redis.hget(formerKey(key), field);
}
