import type { Redis } from 'ioredis';
import { redisKeys } from './layout.ts';
import { loadScript } from './scripts.ts';

const [SWITCH, END, ROTATE] = [
  loadScript('switch.lua'),
  loadScript('end.lua'),
  loadScript('rotate.lua'),
] as const;

/** The key that replaces another key of the same account. */
export type Successor = { hash: string; prefix: string; account: string };

/** Reply of rotate.lua. */
export type RotateReply =
  | [verdict: 'made']
  | [verdict: 'ended']
  | [verdict: 'rotated', next: string]
  | [verdict: 'broken', field: string];

/*
 * Operators' changes of keys. Each change is one script. With a separate read and write, a change made in between could
 * be lost, for example the deactivation of a key.
 */

/** Activates or deactivates the account of the key with this prefix; false if there is no such key. */
export async function switchAccount(redis: Redis, prefix: string, isActive: boolean, at: Date) {
  const hash = await redis.get(redisKeys.prefix(prefix));
  if (hash === null) return false;
  const key = redisKeys.key((await redis.hget(redisKeys.key(hash), 'of')) ?? hash);
  return (await redis.eval(SWITCH, 1, key, isActive ? '1' : '0', at.toISOString())) === 1;
}

/** Sets the end of a key; undefined means never. Returns false if there is no such key. */
export async function endKey(redis: Redis, hash: string, until: Date | undefined, at: Date) {
  const end = until === undefined ? '' : String(until.getTime());
  return (await redis.eval(END, 1, redisKeys.key(hash), end, at.toISOString())) === 1;
}

/** Stores the successor of a key, unless the key already has a successor. The old key ends at `until` at the latest. */
export async function rotateKey(
  redis: Redis,
  oldHash: string,
  { hash, prefix, account }: Successor,
  { until, at }: { until: Date; at: Date },
): Promise<RotateReply> {
  const keys = [redisKeys.key(oldHash), redisKeys.key(hash), redisKeys.all];
  const times = [until.getTime(), at.getTime(), at.toISOString()];
  const reply = await redis.eval(ROTATE, 3, ...keys, hash, prefix, account, ...times);
  return reply as RotateReply;
}
