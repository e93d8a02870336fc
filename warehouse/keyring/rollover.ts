import type { Redis } from 'ioredis';
import { sum } from '../ground/numbers.ts';
import { formatRow } from './history.ts';
import { redisKeys } from './layout.ts';
import { finishedMonths } from './month.ts';
import { forEachKey, messagesOf, readCount, readRecord } from './record.ts';

export type RolloverReport = {
  keys: number;
  /** Number of rows that were written; existing rows are not included. */
  rows: number;
  /**
   * An error message for each broken record. The first rollover after the repair of a record writes the missing rows.
   */
  broken: string[];
};

/**
 * Writes the missing rows of all finished months since a key's creation. A row that is written late gets the current
 * limit, because former limits are not stored. Existing rows never change, so this function can run at any time and
 * repeatedly.
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
  // A key without a record has no finished month. A rotated key has no counts of its own; they are in the record of the
  // account's first key.
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
