import type { Redis } from 'ioredis';
import { sum } from '../ground/sum.ts';
import { rowText } from './history.ts';
import { redisKeys } from './layout.ts';
import { finishedMonths } from './month.ts';
import { forEachKey, messagesOf, readCount, readRecord } from './record.ts';

export type RolloverReport = {
  keys: number;
  /** Rows written; months that had theirs are not counted. */
  rows: number;
  /** Of each key whose record makes no sense: what of it. Its rows are written once it does. */
  broken: string[];
};

/**
 * Writes the row of every finished month, since a key existed, that has none yet: also those of rollovers that were
 * missed, then with the limit of today. A row that is there is never changed, so it may run at any time, twice too.
 */
export async function rollOverUsage(redis: Redis, now: Date): Promise<RolloverReport> {
  const { done, broken } = await forEachKey(redis, (hash) => rollOverKey(redis, hash, now));
  return { keys: done.length, rows: sum(done), broken: messagesOf(broken) };
}

async function rollOverKey(redis: Redis, hash: string, now: Date): Promise<number> {
  const [stored, written] = await Promise.all([
    readRecord(redis, hash),
    redis.hkeys(redisKeys.history(hash)),
  ]);
  // Listed, but not stored yet: a key in the making has no finished month. One that was rotated to has no counts.
  if (stored === undefined || stored['of'] !== undefined) return 0;
  const { created_at: createdAt = '', prefix = '', monthly_limit: limit } = stored;
  const done = new Set(written);
  const months = finishedMonths(new Date(createdAt), now).filter((month) => !done.has(month));
  const rows = await Promise.all(
    months.map(async (month) => {
      const text = await redis.get(redisKeys.usage(hash, month));
      const requests = readCount(text, `usage of ${month}`, prefix);
      const row = { requests, monthlyLimit: Number(limit), loggedAt: now.toISOString() };
      return redis.hsetnx(redisKeys.history(hash), month, rowText(row));
    }),
  );
  return sum(rows);
}
