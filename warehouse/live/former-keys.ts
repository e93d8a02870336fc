import type { Redis } from 'ioredis';

/**
 * Returns the Redis key under which the former version of the code stored a live value. During an update, processes of
 * the former version still run and write values under former keys. The new version uses these values until its next
 * fetch, and never writes to former keys.
 */
export function formerKey(key: string): string {
  return key.replace(/^hw:/, 'live:');
}

/** Reads the text of a key. If the key does not exist, reads the former key. Null if neither key exists. */
export async function getWithFormer(redis: Redis, key: string): Promise<string | null> {
  const [text, former] = await redis.mget(key, formerKey(key));
  return text ?? former ?? null;
}

/**
 * Reads a field of a hash. If the field does not exist, reads the field under the former key. Null if neither exists.
 */
export async function hgetWithFormer(
  redis: Redis,
  key: string,
  field: string,
): Promise<string | null> {
  return (await redis.hget(key, field)) ?? redis.hget(formerKey(key), field);
}
