import type { Redis } from 'ioredis';
import type { Use } from './activity.ts';
import { endKey, rotateKey, type RotateReply } from './changes.ts';
import { validateLimit, hashKey, kindOf, prefixOf } from './format.ts';
import { keyWithFreePrefix, type IssuedKey } from './keystore.ts';
import { redisKeys } from './layout.ts';
import { listKeys, readAccountUse, type ListedKey } from './listed-keys.ts';
import { writeReplicated } from '../replicated.ts';
import { quotaMonth } from './month.ts';
import { defineScripts } from './scripts.ts';

/**
 * Operators' work on keys. Functions identify a key by its prefix, and return undefined or `false` if no key has the
 * prefix.
 */
export type KeyAdmin = {
  /** Lists all keys, sorted by name and age. */
  list: (at: Date) => Promise<ListedKey[]>;
  /** Returns the use of the key's account by endpoint in the given months. */
  use: (prefix: string, months: string[]) => Promise<Use | undefined>;
  setLimit: (prefix: string, monthlyLimit: number, at: Date) => Promise<boolean>;
  /** Sets the end of a key; undefined means never. */
  setEnd: (prefix: string, until: Date | undefined, at: Date) => Promise<boolean>;
  /**
   * Creates a new key for the account of an existing key, with the same end. The existing key works until `until` at
   * the latest. If several rotations of a key run at the same time, only the first one succeeds.
   */
  rotate: (
    prefix: string,
    until: Date,
    at: Date,
  ) => Promise<IssuedKey | RotationRefusal | undefined>;
};

/** The reason why a key cannot be rotated. */
export type RotationRefusal = { refusal: string };

/**
 * Creates the key administration for a Redis. A change returns only after `replicas` replicas of Redis have received
 * the change. If the record of a key is not stored yet, the key counts as unknown.
 */
export function createKeyAdmin(redis: Redis, replicas = 0): KeyAdmin {
  const find = async (prefix: string): Promise<{ hash: string; account: string } | undefined> => {
    const hash = await redis.get(redisKeys.prefix(prefix));
    if (hash === null || !(await redis.exists(redisKeys.key(hash)))) return undefined;
    return { hash, account: (await redis.hget(redisKeys.key(hash), 'of')) ?? hash };
  };
  return {
    list: (at) => listKeys(redis, at),
    use: async (prefix, months) => {
      const keyRef = await find(prefix);
      return keyRef && readAccountUse(redis, keyRef.account, months);
    },
    setLimit: async (prefix, monthlyLimit, at) => {
      const keyRef = await find(prefix);
      if (!keyRef) return false;
      const fields = {
        monthly_limit: validateLimit(monthlyLimit),
        changed_at: at.toISOString(),
      };
      await writeReplicated(redis, replicas, (own) =>
        own.hset(redisKeys.key(keyRef.account), fields),
      );
      return true;
    },
    setEnd: async (prefix, until, at) => {
      const keyRef = await find(prefix);
      if (!keyRef) return false;
      return writeReplicated(redis, replicas, (own) => endKey(own, keyRef.hash, until, at));
    },
    rotate: async (prefix, until, at) => {
      const keyRef = await find(prefix);
      if (!keyRef) return undefined;
      const apiKey = await keyWithFreePrefix(redis, kindOf(prefix));
      const next = { hash: hashKey(apiKey), prefix: prefixOf(apiKey), account: keyRef.account };
      const reply = await writeReplicated(redis, replicas, (own) =>
        rotateKey(own, keyRef.hash, next, { until, at }),
      );
      if (reply[0] !== 'made') {
        await redis.del(redisKeys.prefix(next.prefix));
        return { refusal: formatRefusal(reply) };
      }
      const limit = await redis.hget(redisKeys.key(keyRef.account), 'monthly_limit');
      return { apiKey, prefix: next.prefix, monthlyLimit: Number(limit) };
    },
  };
}

function formatRefusal([verdict, fact]: Exclude<RotateReply, ['made']>): string {
  if (verdict === 'rotated') return `it was already rotated to ${fact}`;
  return verdict === 'ended' ? 'it has ended' : `its record is broken: ${fact}`;
}

/** Whether the prefix belongs to an admin key that could make calls now. Counts no call. */
export async function isAdminNow(redis: Redis, prefix: string, at: Date): Promise<boolean> {
  const hash = await redis.get(redisKeys.prefix(prefix));
  if (hash === null) return false;
  const usage = redisKeys.usage(hash, quotaMonth(at).name);
  const check = { key: redisKeys.key(hash), usage, cost: 0, atMs: at.getTime() };
  const [reply] = await defineScripts(redis).admit([check]);
  return reply?.[0] === 'admitted' && reply[3] === '1';
}
