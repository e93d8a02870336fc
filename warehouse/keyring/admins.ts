import type { Redis } from 'ioredis';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { defineScripts } from './scripts.ts';

/** Whether the prefix belongs to an admin key that would be admitted now. Counts no call. */
export async function isAdminNow(redis: Redis, prefix: string, at: Date): Promise<boolean> {
  const hash = await redis.get(redisKeys.prefix(prefix));
  if (hash === null) return false;
  const usage = redisKeys.usage(hash, quotaMonth(at).name);
  const check = { key: redisKeys.key(hash), usage, cost: 0, atMs: at.getTime() };
  const [reply] = await defineScripts(redis).admit([check]);
  return reply?.[0] === 'admitted' && reply[4] === '1';
}
