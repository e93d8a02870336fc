import type { Redis } from 'ioredis';
import { redisKeys } from './layout.ts';
import { scriptOf } from './scripts.ts';

const [SWITCH, END, ROTATE] = [
  scriptOf('switch.lua'),
  scriptOf('end.lua'),
  scriptOf('rotate.lua'),
] as const;

/** A key that is to follow another of its account. */
export type Successor = { hash: string; prefix: string; account: string };

/** Answer of rotate.lua. */
export type RotateReply =
  | [verdict: 'made']
  | [verdict: 'ended']
  | [verdict: 'rotated', next: string]
  | [verdict: 'broken', what: string];

/*
 * What operators change of keys, each in one step: whoever reads a key and then writes it undoes what another did in
 * between, and a key that was switched off would work again.
 */

/** Switches the account of the key with that prefix on or off; false where there is none. */
export async function switchAccount(redis: Redis, prefix: string, isActive: boolean, at: Date) {
  const hash = await redis.get(redisKeys.prefix(prefix));
  if (hash === null) return false;
  const key = redisKeys.key((await redis.hget(redisKeys.key(hash), 'of')) ?? hash);
  return (await redis.eval(SWITCH, 1, key, isActive ? '1' : '0', at.toISOString())) === 1;
}

/** Has the key end then, or never; false where there is none. */
export async function endKey(redis: Redis, hash: string, until: Date | undefined, at: Date) {
  const end = until === undefined ? '' : String(until.getTime());
  return (await redis.eval(END, 1, redisKeys.key(hash), end, at.toISOString())) === 1;
}

/** Stores the successor of that key, unless it has one; the old key ends then at the latest. */
export async function rotateKey(
  redis: Redis,
  old: string,
  { hash, prefix, account }: Successor,
  { until, at }: { until: Date; at: Date },
): Promise<RotateReply> {
  const places = [redisKeys.key(old), redisKeys.key(hash), redisKeys.all];
  const times = [until.getTime(), at.getTime(), at.toISOString()];
  const reply = await redis.eval(ROTATE, 3, ...places, hash, prefix, account, ...times);
  return reply as RotateReply;
}
