import type { Redis } from 'ioredis';
import type { Use } from './activity.ts';
import { endKey, rotateKey, type RotateReply } from './changes.ts';
import { allowedLimit, hashKey, kindOf, prefixOf } from './format.ts';
import { keyWithFreePrefix, type IssuedKey } from './keystore.ts';
import { redisKeys } from './layout.ts';
import { listKeys, useOf, type ListedKey } from './listed-keys.ts';
import { replicated } from '../replicated.ts';

/** What operators do with keys, by their prefix. Each answers undefined or `false` when no key has it. */
export type KeyOffice = {
  /** All keys, by name and age. */
  list: (at: Date) => Promise<ListedKey[]>;
  /** Use by endpoint of the key's account, in those months. */
  use: (prefix: string, months: string[]) => Promise<Use | undefined>;
  setLimit: (prefix: string, monthlyLimit: number, at: Date) => Promise<boolean>;
  /** Has the key end then; undefined: never. */
  setEnd: (prefix: string, until: Date | undefined, at: Date) => Promise<boolean>;
  /**
   * A new key of the same account, with the end the old one had; the old one works until then at the longest. Of rotations of one
   * key at the same time, one makes a key and the others are refused.
   */
  rotate: (prefix: string, until: Date, at: Date) => Promise<IssuedKey | Refused | undefined>;
};

/** Why a key cannot be rotated. */
export type Refused = { refused: string };

/** The office on that Redis; what it changes is acknowledged once so many replicas have it. A key that is not stored whole yet is not there. */
export function createKeyOffice(redis: Redis, replicas = 0): KeyOffice {
  const find = async (prefix: string): Promise<{ hash: string; account: string } | undefined> => {
    const hash = await redis.get(redisKeys.prefix(prefix));
    if (hash === null || !(await redis.exists(redisKeys.key(hash)))) return undefined;
    return { hash, account: (await redis.hget(redisKeys.key(hash), 'of')) ?? hash };
  };
  return {
    list: (at) => listKeys(redis, at),
    use: async (prefix, months) => {
      const found = await find(prefix);
      return found && useOf(redis, found.account, months);
    },
    setLimit: async (prefix, monthlyLimit, at) => {
      const found = await find(prefix);
      if (!found) return false;
      const fields = {
        monthly_limit: allowedLimit(monthlyLimit),
        changed_at: at.toISOString(),
      };
      await replicated(redis, replicas, (own) => own.hset(redisKeys.key(found.account), fields));
      return true;
    },
    setEnd: async (prefix, until, at) => {
      const found = await find(prefix);
      if (!found) return false;
      return replicated(redis, replicas, (own) => endKey(own, found.hash, until, at));
    },
    rotate: async (prefix, until, at) => {
      const found = await find(prefix);
      if (!found) return undefined;
      const apiKey = await keyWithFreePrefix(redis, kindOf(prefix));
      const next = { hash: hashKey(apiKey), prefix: prefixOf(apiKey), account: found.account };
      const reply = await replicated(redis, replicas, (own) =>
        rotateKey(own, found.hash, next, { until, at }),
      );
      if (reply[0] !== 'made') {
        await redis.del(redisKeys.prefix(next.prefix));
        return { refused: refusalOf(reply) };
      }
      const limit = await redis.hget(redisKeys.key(found.account), 'monthly_limit');
      return { apiKey, prefix: next.prefix, monthlyLimit: Number(limit) };
    },
  };
}

function refusalOf([verdict, fact]: Exclude<RotateReply, ['made']>): string {
  if (verdict === 'rotated') return `it was rotated already, to ${fact}`;
  return verdict === 'ended' ? 'it has ended' : `its record makes no sense: ${fact}`;
}
