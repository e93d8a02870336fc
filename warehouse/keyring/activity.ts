import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';

/** What keys were used for: told to operators, no part of any quota. */
export type Activity = {
  /** A call of the key that was admitted; at cost 0 it is only seen. Remembered here, and written now and then. */
  note: (hash: string, endpoint: string, cost: number, at: Date) => void;
  /** Writes what is not written yet, if that takes no longer than a moment. */
  close: () => Promise<void>;
};

/** What is known of a key's use, by its hash. */
export type Use = {
  /** ISO 8601; absent: never seen. */
  seenAt?: string;
  /** Counted calls by endpoint, by month (`YYYY-MM`). */
  calls: Record<string, Record<string, number>>;
};

type Noted = { seenAt: Date; month: string; calls: Map<string, number> };

/** How long a note may wait, in ms; so much may be missing after a kill -9. */
const FLUSH_MS = 5_000;
/** How long the last notes may take at the end: a Redis that hangs must not hold up a process that is told to stop. */
const CLOSE_MS = 300;
/** Calls by endpoint are kept as long as the history of usage: 24 months and the one under way. */
const KEPT_S = 775 * 86_400;

/** Notes use in memory, apart from the count that admits a call, and writes it every few seconds. */
export function recordActivity(
  redis: Redis,
  { everyMs = FLUSH_MS, closeMs = CLOSE_MS } = {},
): Activity {
  let noted = new Map<string, Noted>();
  const flush = async () => {
    const written = noted;
    noted = new Map();
    // Nothing is kept for later: Redis may have taken it up before it went away, and counts must not grow by that.
    await write(redis, written).catch(() => undefined);
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    note: (hash, endpoint, cost, at) => {
      const month = quotaMonth(at).name;
      let use = noted.get(hash);
      if (use === undefined || use.month !== month) {
        // The turn of the month within a few seconds: what was noted before it is written at once.
        if (use) void flush();
        use = { seenAt: at, month, calls: new Map() };
        noted.set(hash, use);
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

/** The use of one key in those months. */
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

async function write(redis: Redis, noted: Map<string, Noted>): Promise<void> {
  if (noted.size === 0 || redis.status !== 'ready') return;
  const commands = redis.pipeline();
  for (const [hash, { seenAt, month, calls }] of noted) {
    commands.set(redisKeys.seen(hash), seenAt.toISOString());
    const place = redisKeys.calls(hash, month);
    for (const [endpoint, count] of calls) commands.hincrby(place, endpoint, count);
    if (calls.size > 0) commands.expire(place, KEPT_S);
  }
  await commands.exec();
}
