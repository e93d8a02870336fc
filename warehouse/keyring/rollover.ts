import type { Redis } from 'ioredis';
import { sum } from '../ground/sum.ts';
import { formatRow } from './history.ts';
import { redisKeys } from './layout.ts';
import { finishedMonths } from './month.ts';
import { forEachKey, messagesOf, readCount, readRecord } from './record.ts';

export type RolloverReport = {
  keys: number;
  /** Rows written; existing rows are not counted. */
  rows: number;
  /**
   * An error message for each broken record. Once a broken record is repaired, the next rollover writes the rows of the
   * key.
   */
  broken: string[];
};

/**
 * Writes the missing rows of all finished months since a key's creation. If a rollover was missed, its rows get today's
 * limit. Existing rows never change, so this function can run at any time, and repeatedly.
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
  // A key that is not fully stored yet has no finished month. The counts of a rotated key are in the key's account.
  if (stored === undefined || stored['of'] !== undefined) return 0;
  const { created_at: createdAt = '', prefix = '', monthly_limit: limit } = stored;
  const writtenMonths = new Set(written);
  const months = finishedMonths(new Date(createdAt), now).filter(
    (month) => !writtenMonths.has(month),
  );
  const rows = await Promise.all(
    months.map(async (month) => {
      const text = await redis.get(redisKeys.usage(hash, month));
      const requests = readCount(text, `usage of ${month}`, prefix);
      const row = { requests, monthlyLimit: Number(limit), loggedAt: now.toISOString() };
      return redis.hsetnx(redisKeys.history(hash), month, formatRow(row));
    }),
  );
  return sum(rows);
}
