import type { Redis } from 'ioredis';
import type { Use } from './activity.ts';
import type { KeyKind } from './format.ts';
import { hashKey, prefixOf } from './format.ts';
import { keyWithFreePrefix, type IssuedKey } from './keystore.ts';
import { redisKeys } from './layout.ts';
import { listKeys, useOf, type ListedKey } from './listed-keys.ts';
import type { StoredKey } from './record.ts';
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
  /** A new key of the same account, with the end the old one had; the old one works until then at the longest. */
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
      const fields = { monthly_limit: monthlyLimit, changed_at: at.toISOString() };
      await replicated(redis, replicas, (own) => own.hset(redisKeys.key(found.account), fields));
      return true;
    },
    setEnd: async (prefix, until, at) => {
      const found = await find(prefix);
      if (!found) return false;
      const fields = await ending(redis, found.hash, until, at);
      await replicated(redis, replicas, (own) => own.hset(redisKeys.key(found.hash), fields));
      return true;
    },
    rotate: async (prefix, until, at) => {
      const found = await find(prefix);
      if (!found) return undefined;
      const [owner, [next, old]] = await Promise.all([
        redis.hgetall(redisKeys.key(found.account)),
        redis.hmget(redisKeys.key(found.hash), 'next', 'until'),
      ]);
      if (next) return { refused: `it was rotated already, to ${next}` };
      if (old && Number(old) <= at.getTime()) return { refused: 'it has ended' };
      const kind: KeyKind = prefix.startsWith('hw_live_') ? 'live' : 'test';
      const apiKey = await keyWithFreePrefix(redis, kind);
      const hash = hashKey(apiKey);
      const moment = at.toISOString();
      const own = { prefix: prefixOf(apiKey), of: found.account, active: '2', until: old ?? '' };
      const end = old && Number(old) < until.getTime() ? new Date(Number(old)) : until;
      const ended = { ...(await ending(redis, found.hash, end, at)), next: own.prefix };
      await replicated(redis, replicas, (apart) =>
        apart
          .multi()
          .hset(redisKeys.key(hash), { ...own, created_at: moment, changed_at: moment })
          .sadd(redisKeys.all, hash)
          .hset(redisKeys.key(found.hash), ended)
          .exec(),
      );
      return { apiKey, prefix: own.prefix, monthlyLimit: Number(owner['monthly_limit']) };
    },
  };
}

/** The fields that end a key, and leave an inactive one inactive. */
async function ending(
  redis: Redis,
  hash: string,
  until: Date | undefined,
  at: Date,
): Promise<StoredKey> {
  const isOff = (await redis.hget(redisKeys.key(hash), 'active')) === '0';
  const end = until === undefined ? '' : String(until.getTime());
  return { ...(!isOff && { active: '2' }), until: end, changed_at: at.toISOString() };
}
