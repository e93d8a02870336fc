import type { Redis } from 'ioredis';
import type { Activity } from './activity.ts';
import { readHistory, type UsageRow } from './history.ts';
import { findWriteRefusal } from '../ground/write-probe.ts';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { RedisUnavailableError } from '../errors.ts';
import { KeyRecordError } from './errors.ts';
import { switchAccount } from './changes.ts';
import { createDeadline, type RecordTiming } from './deadline.ts';
import { writeReplicated } from '../replicated.ts';
import {
  validateLimit,
  generateKey,
  hashKey,
  isWellFormedKey,
  prefixOf,
  type KeyKind,
} from './format.ts';
import { batchCalls } from './batch-calls.ts';
import { defineScripts, type AdmitCall, type AdmitReply } from './scripts.ts';

/** Whether a call is admitted. `invalid`: the key is unknown or inactive. */
export type Admission =
  | { verdict: 'invalid' }
  | {
      /** `over`: the call would exceed the monthly limit and was not counted. */
      verdict: 'admitted' | 'over';
      monthlyLimit: number;
      /** Calls of the month, including this call if it was admitted. */
      monthCount: number;
      prefix: string;
      isAdmin: boolean;
    };

export type NewKey = { name: string; email: string; monthlyLimit: number };

export type IssuedKey = { apiKey: string; prefix: string; monthlyLimit: number };

/** The usage that the owner of a key sees. */
export type KeyUsage = {
  prefix: string;
  name: string;
  monthlyLimit: number;
  /** Calls of the current month. */
  monthCount: number;
  totalRequests: number;
  /** ISO 8601. */
  createdAt: string;
  /** Finished months, newest first, at most 24. */
  history: UsageRow[];
};

export type Keystore = {
  /**
   * Checks the key and counts the call, in one round trip to Redis. If the cost is 0, only checks the key. Throws
   * `KeyRecordError` for a broken record; calls of other keys are not affected.
   */
  admit: (apiKey: string, cost: number, at: Date, endpoint?: string) => Promise<Admission>;
  /** Refunds a call that `admit` counted. `apiKey`, `cost` and `at` are the values of that call. */
  refund: (apiKey: string, cost: number, at: Date, endpoint?: string) => Promise<void>;
  /** Returns the usage and history of an admitted key. */
  usage: (apiKey: string, at: Date) => Promise<KeyUsage>;
  /** Creates and stores a key. The secret is only in the returned value. Throws `KeyLimitError`. */
  create: (key: NewKey, kind: KeyKind, at: Date, isAdmin?: boolean) => Promise<IssuedKey>;
  /** Activates or deactivates a key and all other keys of its account. Returns `false` if no key has the prefix. */
  setActive: (prefix: string, isActive: boolean, at: Date) => Promise<boolean>;
  /** Rejects if Redis does not answer, or if it refuses the writes that every call needs. */
  ping: () => Promise<void>;
};

export type KeystoreOptions = {
  deadlineMs?: number | undefined;
  /** Called with the duration of each Redis command. */
  recordTiming?: RecordTiming | undefined;
  /** Number of Redis replicas that must have a new or changed key before a function returns; default 0. */
  replicas?: number;
  /** Records the use of keys. */
  activity?: Pick<Activity, 'note'>;
};

/**
 * Creates the keystore for a Redis. layout.ts describes the data. Every command has a deadline. If a command misses its
 * deadline, the function that runs the command throws `RedisUnavailableError`.
 */
export function createKeystore(
  redis: Redis,
  { deadlineMs, recordTiming, activity, replicas = 0 }: KeystoreOptions = {},
): Keystore {
  const scripts = defineScripts(redis);
  const { run } = createDeadline(deadlineMs, recordTiming);

  const admitInBatches = batchCalls((calls: AdmitCall[]) =>
    run(
      () => scripts.admit(calls),
      // Refunds calls whose replies arrived after the deadline, because the callers have already received a 503.
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
    admit: async (apiKey, cost, at, endpoint = OTHER_ENDPOINT) => {
      if (!isWellFormedKey(apiKey)) {
        return { verdict: 'invalid' };
      }
      const hash = hashKey(apiKey);
      const usage = redisKeys.usage(hash, quotaMonth(at).name);
      const call = { key: redisKeys.key(hash), usage, cost, atMs: at.getTime() };
      const reply = await admitInBatches(call);
      if (reply[0] === 'admitted') activity?.note(hash, endpoint, cost, at);
      return parseAdmission(reply, apiKey);
    },
    refund: async (apiKey, cost, at, endpoint = OTHER_ENDPOINT) => {
      const hash = hashKey(apiKey);
      const usage = redisKeys.usage(hash, quotaMonth(at).name);
      await run(() => scripts.refund(redisKeys.key(hash), usage, cost));
      activity?.note(hash, endpoint, -cost, at);
    },
    usage: async (apiKey, at) => {
      const hash = hashKey(apiKey);
      const [prefix, owner] = await run(() => redis.hmget(redisKeys.key(hash), 'prefix', 'of'));
      const account = owner ?? hash;
      const [fields, used, history] = await run(() =>
        Promise.all([
          redis.hmget(redisKeys.key(account), ...KEY_FIELDS),
          redis.get(redisKeys.usage(account, quotaMonth(at).name)),
          redis.hgetall(redisKeys.history(account)),
        ]),
      );
      return buildUsage([prefix ?? null, ...fields], Number(used ?? 0), readHistory(history));
    },
    create: async (key, kind, at, isAdmin = false) => {
      const monthlyLimit = validateLimit(key.monthlyLimit);
      const apiKey = await run(() => keyWithFreePrefix(redis, kind));
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
      await run(() =>
        writeReplicated(redis, replicas, (own) =>
          own.multi().hset(redisKeys.key(hash), fields).sadd(redisKeys.all, hash).exec(),
        ),
      );
      return { apiKey, prefix, monthlyLimit };
    },
    setActive: (prefix, isActive, at) =>
      run(() =>
        writeReplicated(redis, replicas, (own) => switchAccount(own, prefix, isActive, at)),
      ),
    ping: createWriteCheck(() => run(() => findWriteRefusal(redis))),
  };
}

/** Generates a key whose prefix no other key has, and reserves the prefix. */
export async function keyWithFreePrefix(redis: Redis, kind: KeyKind): Promise<string> {
  const apiKey = generateKey(kind);
  const reply = await redis.set(redisKeys.prefix(prefixOf(apiKey)), hashKey(apiKey), 'NX');
  return reply === 'OK' ? apiKey : keyWithFreePrefix(redis, kind);
}

/** Endpoint under which a call is counted if the caller of `admit` names no endpoint. */
const OTHER_ENDPOINT = 'other';

const KEY_FIELDS = ['name', 'monthly_limit', 'total_requests', 'created_at'] as const;

function buildUsage(fields: (string | null)[], monthCount: number, history: UsageRow[]): KeyUsage {
  const [prefix, name, limit, total, createdAt] = fields;
  if (!prefix || !name || !createdAt) {
    throw new RedisUnavailableError('redis lost the API key after the call was admitted');
  }
  const counts = { monthlyLimit: Number(limit), monthCount, totalRequests: Number(total) };
  return { prefix, name, ...counts, createdAt, history };
}

function parseAdmission(reply: AdmitReply, apiKey: string): Admission {
  if (reply[0] === 'invalid') {
    return { verdict: 'invalid' };
  }
  if (reply[0] === 'broken') throw new KeyRecordError(prefixOf(apiKey), reply[1] ?? 'its type');
  const [verdict, monthlyLimit, monthCount, admin] = reply;
  return { verdict, monthlyLimit, monthCount, prefix: prefixOf(apiKey), isAdmin: admin === '1' };
}

/**
 * Time for which the result of a write check is used again. The health may be requested often, and one write a second
 * is enough to check Redis.
 */
const WRITE_CHECK_MS = 1_000;

/** Returns a function that rejects with the reason if Redis refuses writes. Redis is checked at most once a second. */
function createWriteCheck(check: () => Promise<string | undefined>): () => Promise<void> {
  let last: { at: number; result: Promise<string | undefined> } | undefined;
  return async () => {
    if (!last || performance.now() - last.at > WRITE_CHECK_MS) {
      last = { at: performance.now(), result: check() };
    }
    const refusal = await last.result;
    if (refusal !== undefined) throw new RedisUnavailableError(refusal);
  };
}
