import type { Redis } from 'ioredis';
import { readHistory, type UsageRow } from './history.ts';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { RedisAwayError } from '../errors.ts';
import { createDeadline, type Timed } from './deadline.ts';
import { generateKey, hashKey, isWellFormedKey, prefixOf, type KeyKind } from './format.ts';
import { commandsInOneWrite } from './one-write.ts';
import { defineScripts, type AdmitReply } from './scripts.ts';

/** What a call may do, as of one instant. `invalid` is an unknown and an inactive key alike. */
export type Admission =
  | { verdict: 'invalid' }
  | {
      /** `over`: the call would exceed the month's limit, and was not counted. */
      verdict: 'admitted' | 'over';
      monthlyLimit: number;
      /** Calls of the month, this one included when it was admitted. */
      monthCount: number;
      prefix: string;
      isAdmin: boolean;
    };

export type NewKey = { name: string; email: string; monthlyLimit: number };

export type IssuedKey = { apiKey: string; prefix: string; monthlyLimit: number };

/** What a key's holder may know of it. */
export type KeyUsage = {
  prefix: string;
  name: string;
  monthlyLimit: number;
  /** Calls of the month of that instant. */
  monthCount: number;
  totalRequests: number;
  /** ISO 8601. */
  createdAt: string;
  /** Finished months, newest first, 24 at most. */
  history: UsageRow[];
};

export type Keystore = {
  /** Checks the key and counts the call, in one round trip. Cost 0 checks only. */
  admit: (apiKey: string, cost: number, at: Date) => Promise<Admission>;
  /** Takes back what `admit` counted at that instant. */
  refund: (apiKey: string, cost: number, at: Date) => Promise<void>;
  /** Where a key that was admitted stands; its history too. */
  usage: (apiKey: string, at: Date) => Promise<KeyUsage>;
  /** Makes and stores a key; the answer is the only place the secret ever appears. */
  create: (key: NewKey, kind: KeyKind, at: Date, isAdmin?: boolean) => Promise<IssuedKey>;
  /** Switches a key on or off; `false` when no key has the prefix. */
  setActive: (prefix: string, isActive: boolean, at: Date) => Promise<boolean>;
  ping: () => Promise<void>;
};

/** Keys and counts in Redis, laid out as layout.ts says. Every call fails with `RedisAwayError` rather than wait. */
export function createKeystore(redis: Redis, deadlineMs?: number, timed?: Timed): Keystore {
  const scripts = defineScripts(redis);
  const shareWrite = commandsInOneWrite(redis);
  const { ask } = createDeadline(deadlineMs, timed);

  const refund = (hash: string, cost: number, at: Date) =>
    scripts.refund(redisKeys.key(hash), redisKeys.usage(hash, quotaMonth(at).name), cost);

  return {
    admit: async (apiKey, cost, at) => {
      if (!isWellFormedKey(apiKey)) {
        return { verdict: 'invalid' };
      }
      const hash = hashKey(apiKey);
      const usage = redisKeys.usage(hash, quotaMonth(at).name);
      shareWrite();
      const reply = await ask(
        () => scripts.admit(redisKeys.key(hash), usage, cost),
        // The caller was told 503 by then, and those do not count.
        ([verdict]) => {
          if (verdict === 'admitted' && cost > 0) {
            refund(hash, cost, at).catch(() => undefined);
          }
        },
      );
      return admissionOf(reply);
    },
    refund: async (apiKey, cost, at) => {
      await ask(() => refund(hashKey(apiKey), cost, at));
    },
    usage: async (apiKey, at) => {
      const hash = hashKey(apiKey);
      const [fields, used, history] = await ask(() =>
        Promise.all([
          redis.hmget(redisKeys.key(hash), ...KEY_FIELDS),
          redis.get(redisKeys.usage(hash, quotaMonth(at).name)),
          redis.hgetall(redisKeys.history(hash)),
        ]),
      );
      return usageOf(fields, Number(used ?? 0), readHistory(history));
    },
    create: async (key, kind, at, isAdmin = false) => {
      const apiKey = await ask(() => keyWithFreePrefix(redis, kind));
      const hash = hashKey(apiKey);
      const prefix = prefixOf(apiKey);
      const fields = {
        prefix,
        name: key.name,
        email: key.email,
        monthly_limit: key.monthlyLimit,
        active: 1,
        admin: isAdmin ? 1 : 0,
        created_at: at.toISOString(),
        changed_at: at.toISOString(),
        total_requests: 0,
      };
      await ask(() =>
        redis.multi().hset(redisKeys.key(hash), fields).sadd(redisKeys.all, hash).exec(),
      );
      return { apiKey, prefix, monthlyLimit: key.monthlyLimit };
    },
    setActive: async (prefix, isActive, at) => {
      const hash = await ask(() => redis.get(redisKeys.prefix(prefix)));
      if (hash === null) {
        return false;
      }
      const fields = { active: isActive ? 1 : 0, changed_at: at.toISOString() };
      await ask(() => redis.hset(redisKeys.key(hash), fields));
      return true;
    },
    ping: async () => void (await ask(() => redis.ping())),
  };
}

/** A new key whose prefix names no other; the prefix is its own from then on. */
async function keyWithFreePrefix(redis: Redis, kind: KeyKind): Promise<string> {
  const apiKey = generateKey(kind);
  const claimed = await redis.set(redisKeys.prefix(prefixOf(apiKey)), hashKey(apiKey), 'NX');
  return claimed === 'OK' ? apiKey : keyWithFreePrefix(redis, kind);
}

const KEY_FIELDS = ['prefix', 'name', 'monthly_limit', 'total_requests', 'created_at'] as const;

function usageOf(fields: (string | null)[], monthCount: number, history: UsageRow[]): KeyUsage {
  const [prefix, name, limit, total, createdAt] = fields;
  if (!prefix || !name || !createdAt) {
    throw new RedisAwayError('redis lost the key after it was admitted');
  }
  const counts = { monthlyLimit: Number(limit), monthCount, totalRequests: Number(total) };
  return { prefix, name, ...counts, createdAt, history };
}

function admissionOf(reply: AdmitReply): Admission {
  if (reply[0] === 'invalid') {
    return { verdict: 'invalid' };
  }
  const [verdict, monthlyLimit, monthCount, prefix, admin] = reply;
  return { verdict, monthlyLimit, monthCount, prefix, isAdmin: admin === '1' };
}
