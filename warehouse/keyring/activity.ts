import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';

/** Records the use of keys for operators. Quotas do not depend on these records. */
export type Activity = {
  /**
   * Remembers an admitted call in memory; a later flush writes it to Redis. If the cost is 0, only the time is
   * remembered.
   */
  note: (hash: string, endpoint: string, cost: number, at: Date) => void;
  /** Stops the timer and flushes once more. Gives up after 300 ms. */
  close: () => Promise<void>;
};

/** The recorded use of a key. */
export type Use = {
  /** Last use, ISO 8601; absent if the key was never used. */
  seenAt?: string;
  /** Counted calls by month (`YYYY-MM`) and endpoint. */
  calls: Record<string, Record<string, number>>;
};

type PendingUse = { seenAt: Date; month: string; calls: Map<string, number> };

/** Time between flushes, in ms. A killed process loses the calls since its last flush. */
const FLUSH_MS = 5_000;
/** Deadline of the last flush, so that an unresponsive Redis cannot delay the shutdown. */
const CLOSE_MS = 300;
/** Calls by endpoint expire like the usage history: after the current month and 24 more months. */
const CALLS_TTL_S = 775 * 86_400;

/** Collects the use of keys in memory and writes it to Redis every few seconds, separately from the quota counts. */
export function recordActivity(
  redis: Redis,
  { everyMs = FLUSH_MS, closeMs = CLOSE_MS } = {},
): Activity {
  let pending = new Map<string, PendingUse>();
  const flush = async () => {
    const batch = pending;
    pending = new Map();
    // A failed batch is dropped. Redis may have applied it before the failure, so a retry could count calls twice.
    await writeUse(redis, batch).catch(() => undefined);
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    note: (hash, endpoint, cost, at) => {
      const month = quotaMonth(at).name;
      let use = pending.get(hash);
      if (use === undefined || use.month !== month) {
        // When a new month begins, flushes the calls of the old month.
        if (use) void flush();
        use = { seenAt: at, month, calls: new Map() };
        pending.set(hash, use);
      }
      use.seenAt = at;
      if (cost !== 0) use.calls.set(endpoint, (use.calls.get(endpoint) ?? 0) + cost);
    },
    close: async () => {
      clearInterval(timer);
      await Promise.race([flush(), sleep(closeMs, undefined, { ref: false })]);
    },
  };
}

/** Reads the use of one key in the given months. */
export async function readUse(redis: Redis, hash: string, months: string[]): Promise<Use> {
  const [seenAt, ...calls] = await Promise.all([
    redis.get(redisKeys.seen(hash)),
    ...months.map((month) => redis.hgetall(redisKeys.calls(hash, month))),
  ]);
  const byMonth = months.map((month, at) => {
    const counts = Object.entries(calls[at] ?? {}).map(([name, text]) => [name, Number(text)]);
    return [month, Object.fromEntries(counts) as Record<string, number>] as const;
  });
  return { ...(seenAt !== null && { seenAt }), calls: Object.fromEntries(byMonth) };
}

async function writeUse(redis: Redis, batch: Map<string, PendingUse>): Promise<void> {
  if (batch.size === 0 || redis.status !== 'ready') return;
  const commands = redis.pipeline();
  for (const [hash, { seenAt, month, calls }] of batch) {
    commands.set(redisKeys.seen(hash), seenAt.toISOString());
    const callsKey = redisKeys.calls(hash, month);
    for (const [endpoint, count] of calls) commands.hincrby(callsKey, endpoint, count);
    if (calls.size > 0) commands.expire(callsKey, CALLS_TTL_S);
  }
  await commands.exec();
}
