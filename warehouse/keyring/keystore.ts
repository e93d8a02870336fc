import type { Redis } from 'ioredis';
import type { Activity } from './activity.ts';
import { readHistory, type UsageRow } from './history.ts';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { RedisAwayError } from '../errors.ts';
import { KeyRecordError } from './errors.ts';
import { switchAccount } from './changes.ts';
import { createDeadline, type Timed } from './deadline.ts';
import { replicated } from '../replicated.ts';
import {
  allowedLimit,
  generateKey,
  hashKey,
  isWellFormedKey,
  prefixOf,
  type KeyKind,
} from './format.ts';
import { inOneTurn } from './one-turn.ts';
import { defineScripts, type AdmitCall, type AdmitReply } from './scripts.ts';

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
  /**
   * Checks the key and counts the call of that endpoint, in one round trip. Cost 0 checks only. Throws `KeyRecordError` for a key
   * whose record makes no sense; calls of other keys are not touched by that.
   */
  admit: (apiKey: string, cost: number, at: Date, endpoint?: string) => Promise<Admission>;
  /** Takes back what `admit` counted at that instant. */
  refund: (apiKey: string, cost: number, at: Date, endpoint?: string) => Promise<void>;
  /** Where a key that was admitted stands; its history too. */
  usage: (apiKey: string, at: Date) => Promise<KeyUsage>;
  /** Makes and stores a key of an allowed limit; the answer is the only place the secret ever appears. */
  create: (key: NewKey, kind: KeyKind, at: Date, isAdmin?: boolean) => Promise<IssuedKey>;
  /** Switches a key on or off, and with it those it was rotated from or to; `false` when no key has the prefix. */
  setActive: (prefix: string, isActive: boolean, at: Date) => Promise<boolean>;
  ping: () => Promise<void>;
};

export type KeystoreOptions = {
  deadlineMs?: number | undefined;
  /** Told of what Redis was asked, and how long it took. */
  timed?: Timed | undefined;
  /** Replicas that must have a key, or the switch of one, before it is acknowledged; 0 where it is not given. */
  replicas?: number;
  /** Told what admitted calls were for. */
  activity?: Pick<Activity, 'note'>;
};

/**
 * Keys and counts in Redis, laid out as layout.ts says. Every call fails with `RedisAwayError` rather than wait.
 */
export function createKeystore(
  redis: Redis,
  { deadlineMs, timed, activity, replicas = 0 }: KeystoreOptions = {},
): Keystore {
  const scripts = defineScripts(redis);
  const { ask } = createDeadline(deadlineMs, timed);

  const admitted = inOneTurn((calls: AdmitCall[]) =>
    ask(
      () => scripts.admit(calls),
      // The callers were told 503 by then, and those do not count.
      (replies) => {
        for (const [at, { key, usage, cost }] of calls.entries()) {
          if (replies[at]?.[0] === 'admitted' && cost > 0) {
            scripts.refund(key, usage, cost).catch(() => undefined);
          }
        }
      },
    ),
  );

  return {
    admit: async (apiKey, cost, at, endpoint = OTHER) => {
      if (!isWellFormedKey(apiKey)) {
        return { verdict: 'invalid' };
      }
      const hash = hashKey(apiKey);
      const usage = redisKeys.usage(hash, quotaMonth(at).name);
      const call = { key: redisKeys.key(hash), usage, cost, atMs: at.getTime() };
      const reply = await admitted(call);
      if (reply[0] === 'admitted') activity?.note(hash, endpoint, cost, at);
      return admissionOf(reply, apiKey);
    },
    refund: async (apiKey, cost, at, endpoint = OTHER) => {
      const hash = hashKey(apiKey);
      const usage = redisKeys.usage(hash, quotaMonth(at).name);
      await ask(() => scripts.refund(redisKeys.key(hash), usage, cost));
      activity?.note(hash, endpoint, -cost, at);
    },
    usage: async (apiKey, at) => {
      const hash = hashKey(apiKey);
      const [prefix, of] = await ask(() => redis.hmget(redisKeys.key(hash), 'prefix', 'of'));
      const account = of ?? hash;
      const [fields, used, history] = await ask(() =>
        Promise.all([
          redis.hmget(redisKeys.key(account), ...KEY_FIELDS),
          redis.get(redisKeys.usage(account, quotaMonth(at).name)),
          redis.hgetall(redisKeys.history(account)),
        ]),
      );
      return usageOf([prefix ?? null, ...fields], Number(used ?? 0), readHistory(history));
    },
    create: async (key, kind, at, isAdmin = false) => {
      const monthlyLimit = allowedLimit(key.monthlyLimit);
      const apiKey = await ask(() => keyWithFreePrefix(redis, kind));
      const hash = hashKey(apiKey);
      const prefix = prefixOf(apiKey);
      const fields = {
        prefix,
        name: key.name,
        email: key.email,
        monthly_limit: monthlyLimit,
        active: 1,
        admin: isAdmin ? 1 : 0,
        created_at: at.toISOString(),
        changed_at: at.toISOString(),
        total_requests: 0,
      };
      await ask(() =>
        replicated(redis, replicas, (own) =>
          own.multi().hset(redisKeys.key(hash), fields).sadd(redisKeys.all, hash).exec(),
        ),
      );
      return { apiKey, prefix, monthlyLimit };
    },
    setActive: (prefix, isActive, at) =>
      ask(() => replicated(redis, replicas, (own) => switchAccount(own, prefix, isActive, at))),
    ping: async () => void (await ask(() => redis.ping())),
  };
}

/** A new key whose prefix names no other; the prefix is its own from then on. */
export async function keyWithFreePrefix(redis: Redis, kind: KeyKind): Promise<string> {
  const apiKey = generateKey(kind);
  const claimed = await redis.set(redisKeys.prefix(prefixOf(apiKey)), hashKey(apiKey), 'NX');
  return claimed === 'OK' ? apiKey : keyWithFreePrefix(redis, kind);
}

/** Calls whose endpoint nobody told. */
const OTHER = 'other';

const KEY_FIELDS = ['name', 'monthly_limit', 'total_requests', 'created_at'] as const;

function usageOf(fields: (string | null)[], monthCount: number, history: UsageRow[]): KeyUsage {
  const [prefix, name, limit, total, createdAt] = fields;
  if (!prefix || !name || !createdAt) {
    throw new RedisAwayError('redis lost the key after it was admitted');
  }
  const counts = { monthlyLimit: Number(limit), monthCount, totalRequests: Number(total) };
  return { prefix, name, ...counts, createdAt, history };
}

function admissionOf(reply: AdmitReply, apiKey: string): Admission {
  if (reply[0] === 'invalid') {
    return { verdict: 'invalid' };
  }
  if (reply[0] === 'broken') throw new KeyRecordError(prefixOf(apiKey), reply[1] ?? 'its type');
  const [verdict, monthlyLimit, monthCount, prefix, admin] = reply;
  return { verdict, monthlyLimit, monthCount, prefix, isAdmin: admin === '1' };
}
