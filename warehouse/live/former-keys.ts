import type { Redis } from 'ioredis';

/**
 * Returns the Redis key under which the former version of the code stored a live value. Processes of that version
 * still run during an update. The values that they write are used until the next fetch. This version does not write
 * to former keys.
 */
export function formerKey(key: string): string {
  return key.replace(/^hw:/, 'live:');
}

/** Reads the text of a key; falls back to the former key. Null if neither exists. */
export async function getWithFormer(redis: Redis, key: string): Promise<string | null> {
  const [text, former] = await redis.mget(key, formerKey(key));
  return text ?? former ?? null;
}

/** Reads a field of a hash; falls back to the former key. Null if neither exists. */
export async function hgetWithFormer(
  redis: Redis,
  key: string,
  field: string,
): Promise<string | null> {
  return (await redis.hget(key, field)) ?? redis.hget(formerKey(key), field);
}
