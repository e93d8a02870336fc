import type { Redis } from 'ioredis';
import type { Activity } from './activity.ts';
import { KeyRecordError } from './errors.ts';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { defineScripts } from './scripts.ts';

/**
 * The key to charge, or the reason why no key can be charged. `over`: the limit is reached. `invalid`: the key and all
 * keys that replaced it are inactive.
 */
export type Charged = { verdict: 'admitted'; keyHash: string } | { verdict: 'over' | 'invalid' };

/**
 * Checks a key and counts calls for it. The calls are for work that the owner of the key did not request in a call,
 * such as messages of watches.
 */
export type Charges = {
  /**
   * Counts calls for the key. If the key is inactive, counts them for the key that replaced it. If the cost is 0, only
   * checks the key.
   */
  charge: (keyHash: string, cost: number, at: Date) => Promise<Charged>;
  /** Refunds calls that `charge` counted. `keyHash` and `at` are the values of that charge. */
  refund: (keyHash: string, cost: number, at: Date) => Promise<void>;
};

/** Maximum number of rotations that are followed. More rotations are treated as a circle. */
const MAX_ROTATIONS = 100;

/** Creates the charges for a Redis. `endpoint` is the name under which the calls are counted. */
export function createCharges(
  redis: Redis,
  { endpoint, activity }: { endpoint: string; activity?: Pick<Activity, 'note'> },
): Charges {
  const scripts = defineScripts(redis);
  const usageOf = (keyHash: string, at: Date) => redisKeys.usage(keyHash, quotaMonth(at).name);
  const chargeOne = async (keyHash: string, cost: number, at: Date) => {
    const key = redisKeys.key(keyHash);
    const [reply] = await scripts.admit([
      { key, usage: usageOf(keyHash, at), cost, atMs: at.getTime() },
    ]);
    if (reply?.[0] === 'broken') throw new KeyRecordError(keyHash.slice(0, 8), reply[1] ?? '');
    return reply?.[0] ?? 'invalid';
  };
  const nextOf = async (keyHash: string) => {
    const prefix = await redis.hget(redisKeys.key(keyHash), 'next');
    return prefix === null ? null : redis.get(redisKeys.prefix(prefix));
  };
  return {
    charge: async (first, cost, at) => {
      let keyHash: string | null = first;
      for (let left = MAX_ROTATIONS; keyHash !== null && left > 0; left -= 1) {
        const verdict = await chargeOne(keyHash, cost, at);
        if (verdict === 'over') return { verdict };
        if (verdict === 'admitted') {
          if (cost > 0) activity?.note(keyHash, endpoint, cost, at);
          return { verdict, keyHash };
        }
        keyHash = await nextOf(keyHash);
      }
      return { verdict: 'invalid' };
    },
    refund: async (keyHash, cost, at) => {
      await scripts.refund(redisKeys.key(keyHash), usageOf(keyHash, at), cost);
      activity?.note(keyHash, endpoint, -cost, at);
    },
  };
}

/** Returns the hash of the account's first key. All keys of the account share its limit and counts. */
export async function accountOf(redis: Pick<Redis, 'hget'>, keyHash: string): Promise<string> {
  return (await redis.hget(redisKeys.key(keyHash), 'of')) ?? keyHash;
}
