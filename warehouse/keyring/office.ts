import type { Redis } from 'ioredis';
import { readUse, type Use } from './activity.ts';
import type { KeyKind } from './format.ts';
import { hashKey, prefixOf } from './format.ts';
import { keyWithFreePrefix, type IssuedKey } from './keystore.ts';
import { keyHashes, redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { replicated } from '../replicated.ts';

/** A key as operators see it; the limit and the counts of one that came of another by rotation are those of both. */
export type ListedKey = {
  prefix: string;
  name: string;
  monthlyLimit: number;
  /** Calls of the month of that instant. */
  monthCount: number;
  totalRequests: number;
  isAdmin: boolean;
  /** `expired`: its end has come; `ending`: it has one. */
  state: 'active' | 'inactive' | 'expired' | 'ending';
  /** ISO 8601. */
  createdAt: string;
  until?: string;
  seenAt?: string;
  /** Prefix of the first key of the account it belongs to; its own, but for those rotated to. */
  account: string;
};

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

type Stored = Record<string, string>;

/** The office on that Redis; what it changes is acknowledged once so many replicas have it. A key that is not stored whole yet is not there. */
export function createKeyOffice(redis: Redis, replicas = 0): KeyOffice {
  const find = async (prefix: string): Promise<{ hash: string; account: string } | undefined> => {
    const hash = await redis.get(redisKeys.prefix(prefix));
    if (hash === null || !(await redis.exists(redisKeys.key(hash)))) return undefined;
    return { hash, account: (await redis.hget(redisKeys.key(hash), 'of')) ?? hash };
  };
  const listed = async (hash: string, at: Date): Promise<ListedKey[]> => {
    const stored = await redis.hgetall(redisKeys.key(hash));
    if (stored['created_at'] === undefined) return [];
    const account = stored['of'] ?? hash;
    const [owner, used, seenAt] = await Promise.all([
      account === hash ? stored : redis.hgetall(redisKeys.key(account)),
      redis.get(redisKeys.usage(account, quotaMonth(at).name)),
      redis.get(redisKeys.seen(hash)),
    ]);
    return [{ ...listedOf(stored, owner, at), monthCount: Number(used ?? 0), ...seen(seenAt) }];
  };

  return {
    list: async (at) => {
      const all: ListedKey[] = [];
      for await (const hashes of keyHashes(redis)) {
        all.push(...(await Promise.all(hashes.map((hash) => listed(hash, at)))).flat());
      }
      return all.toSorted((a, b) => compare(orderOf(a), orderOf(b)));
    },
    use: async (prefix, months) => {
      const found = await find(prefix);
      if (!found) return undefined;
      const hashes: string[] = [];
      for await (const some of keyHashes(redis)) {
        const of = await Promise.all(some.map((hash) => redis.hget(redisKeys.key(hash), 'of')));
        hashes.push(...some.filter((hash, at) => (of[at] ?? hash) === found.account));
      }
      return together(await Promise.all(hashes.map((hash) => readUse(redis, hash, months))));
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
): Promise<Stored> {
  const isOff = (await redis.hget(redisKeys.key(hash), 'active')) === '0';
  const end = until === undefined ? '' : String(until.getTime());
  return { ...(!isOff && { active: '2' }), until: end, changed_at: at.toISOString() };
}

function listedOf(stored: Stored, owner: Stored, at: Date): Omit<ListedKey, 'monthCount'> {
  const end = stored['until'] ? new Date(Number(stored['until'])) : undefined;
  return {
    prefix: stored['prefix'] ?? '',
    name: owner['name'] ?? '',
    monthlyLimit: Number(owner['monthly_limit']),
    totalRequests: Number(owner['total_requests'] ?? 0),
    isAdmin: owner['admin'] === '1',
    state: stateOf(owner['active'] !== '0', end, at),
    createdAt: stored['created_at'] ?? '',
    ...(end && { until: end.toISOString() }),
    account: owner['prefix'] ?? '',
  };
}

function stateOf(isOn: boolean, end: Date | undefined, at: Date): ListedKey['state'] {
  if (end && end <= at) return 'expired';
  if (!isOn) return 'inactive';
  return end ? 'ending' : 'active';
}

function seen(at: string | null): { seenAt?: string } {
  return at === null ? {} : { seenAt: at };
}

/** Keys of one account stand together, oldest first. */
function orderOf({ name, account, createdAt }: ListedKey): string {
  return `${name}\n${account}\n${createdAt}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function together(uses: Use[]): Use {
  const calls: Use['calls'] = {};
  for (const [month, counts] of uses.flatMap((use) => Object.entries(use.calls))) {
    const sum = (calls[month] ??= {});
    for (const [endpoint, count] of Object.entries(counts)) {
      sum[endpoint] = (sum[endpoint] ?? 0) + count;
    }
  }
  const seenAt = uses
    .flatMap((use) => use.seenAt ?? [])
    .toSorted()
    .at(-1);
  return { ...(seenAt !== undefined && { seenAt }), calls };
}
