import type { Redis } from 'ioredis';
import { sum } from '../ground/sum.ts';
import { rowText } from './history.ts';
import { keyHashes, redisKeys } from './layout.ts';
import { finishedMonths } from './month.ts';

export type RolloverReport = {
  keys: number;
  /** Rows written; months that had theirs are not counted. */
  rows: number;
};

/**
 * Writes the row of every finished month, since a key existed, that has none yet: also those of rollovers that were
 * missed, then with the limit of today. A row that is there is never changed, so it may run at any time, twice too.
 */
export async function rollOverUsage(redis: Redis, now: Date): Promise<RolloverReport> {
  const report = { keys: 0, rows: 0 };
  for await (const hashes of keyHashes(redis)) {
    const written = await Promise.all(hashes.map((hash) => rollOverKey(redis, hash, now)));
    report.keys += hashes.length;
    report.rows += sum(written);
  }
  return report;
}

async function rollOverKey(redis: Redis, hash: string, now: Date): Promise<number> {
  const [[createdAt, limit, of], written] = await Promise.all([
    redis.hmget(redisKeys.key(hash), 'created_at', 'monthly_limit', 'of'),
    redis.hkeys(redisKeys.history(hash)),
  ]);
  // Listed, but not stored yet: a key in the making has no finished month. One that was rotated to has no counts.
  if (!createdAt || of) return 0;
  const done = new Set(written);
  const months = finishedMonths(new Date(createdAt), now).filter((month) => !done.has(month));
  const rows = await Promise.all(
    months.map(async (month) => {
      const requests = Number((await redis.get(redisKeys.usage(hash, month))) ?? 0);
      const row = { requests, monthlyLimit: Number(limit), loggedAt: now.toISOString() };
      return redis.hsetnx(redisKeys.history(hash), month, rowText(row));
    }),
  );
  return sum(rows);
}
