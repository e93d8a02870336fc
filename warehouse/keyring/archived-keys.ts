import type { Redis } from 'ioredis';
import { KeyRecordError } from './errors.ts';
import { ARCHIVED_FIELDS, redisKeys } from './layout.ts';
import { finishedMonths, quotaMonth } from './month.ts';
import { catchRecordError, forEachKey, readCount, readRecord } from './record.ts';
import { loadScript } from './scripts.ts';

/**
 * An archived key with its counts. The archive contains neither the e-mail address nor the secret, which is stored
 * nowhere.
 */
export type ArchivedKey = {
  /** SHA-256 of the secret. */
  hash: string;
  /** The fields in Redis, without e-mail address and total count. */
  fields: Record<'prefix' | 'created_at' | 'changed_at', string> &
    Partial<Record<(typeof ARCHIVED_FIELDS)[number], string>>;
  totalRequests: number;
  /** Calls by month, for the months that have no row in `history` yet. */
  usage: Record<string, number>;
  /** Rows of finished months as stored in Redis. */
  history: Record<string, string>;
};

export type RestoreReport = {
  /** Keys that were missing in Redis. */
  added: number;
  /** Keys that had newer fields or higher counts in the archive than in Redis. */
  changed: number;
  /** Keys that needed no change. */
  same: number;
  /** The error message of each key that was not restored, because its record in Redis is broken. */
  broken: string[];
};

const RESTORE = loadScript('restore.lua');

/** Reads all keys from Redis. Errors of broken records are returned separately, by hash. */
export async function readKeys(
  redis: Redis,
  now: Date,
): Promise<{ keys: ArchivedKey[]; broken: Map<string, KeyRecordError> }> {
  const { done, broken } = await forEachKey(redis, (hash) => readKey(redis, hash, now));
  return { keys: done.filter((key) => key !== undefined), broken };
}

/**
 * Merges archived and current keys. If a key is in both, the merged key gets the fields that were changed last, and the
 * higher counts. Nothing is lost even if Redis restarted without data or with old data.
 */
export function mergeKeys(archived: ArchivedKey[], current: ArchivedKey[]): ArchivedKey[] {
  const merged = new Map(archived.map((key) => [key.hash, key]));
  for (const key of current) {
    const archivedKey = merged.get(key.hash);
    merged.set(key.hash, archivedKey ? mergeKey(archivedKey, key) : key);
  }
  return [...merged.values()];
}

/**
 * Restores keys; each key is restored atomically. Counts are never lowered, and changes made after the archive was
 * written are kept.
 */
export async function restoreKeys(redis: Redis, keys: ArchivedKey[]): Promise<RestoreReport> {
  const report: RestoreReport = { added: 0, changed: 0, same: 0, broken: [] };
  for (const key of keys) {
    const outcome = await catchRecordError(key.hash, () => restoreKey(redis, key));
    if (outcome instanceof KeyRecordError) report.broken.push(outcome.message);
    else report[outcome] += 1;
  }
  return report;
}

async function restoreKey(
  redis: Redis,
  { hash, fields, totalRequests, usage, history }: ArchivedKey,
): Promise<'added' | 'changed' | 'same'> {
  const months = Object.keys(usage);
  const keys = [redisKeys.key(hash), redisKeys.history(hash)];
  keys.push(...months.map((month) => redisKeys.usage(hash, month)));
  const counts = months.map((month) => String(usage[month]));
  const archived = JSON.stringify({ fields, total: String(totalRequests), counts, history });
  const [outcome] = await Promise.all([
    redis.eval(RESTORE, keys.length, ...keys, archived),
    redis.set(redisKeys.prefix(fields.prefix), hash, 'NX'),
    redis.sadd(redisKeys.all, hash),
  ]);
  return outcome as 'added' | 'changed' | 'same';
}

async function readKey(redis: Redis, hash: string, now: Date): Promise<ArchivedKey | undefined> {
  const [stored, history] = await Promise.all([
    readRecord(redis, hash),
    redis.hgetall(redisKeys.history(hash)),
  ]);
  // The key is in the list of keys, but its record is not stored yet. The next archive will include the key.
  if (stored === undefined) return undefined;
  const { created_at: createdAt = '', prefix = '' } = stored;
  const months = [...finishedMonths(new Date(createdAt), now), quotaMonth(now).name].filter(
    (month) => history[month] === undefined,
  );
  const usage = await Promise.all(
    months.map(async (month) => {
      const text = await redis.get(redisKeys.usage(hash, month));
      return [month, readCount(text, `usage of ${month}`, prefix)] as const;
    }),
  );
  const record: Record<string, string> = { changed_at: createdAt, ...stored };
  const fields = ARCHIVED_FIELDS.flatMap((field) => {
    const text = record[field];
    return text === undefined ? [] : [[field, text]];
  });
  return {
    hash,
    fields: Object.fromEntries(fields) as ArchivedKey['fields'],
    totalRequests: readCount(stored['total_requests'], 'total_requests', prefix),
    usage: Object.fromEntries(usage.filter(([, count]) => count > 0)),
    history,
  };
}

function mergeKey(archived: ArchivedKey, current: ArchivedKey): ArchivedKey {
  const isArchiveNewer = archived.fields.changed_at > current.fields.changed_at;
  const history = { ...current.history, ...archived.history };
  const usage = { ...archived.usage, ...current.usage };
  for (const month of Object.keys(usage)) {
    usage[month] = Math.max(archived.usage[month] ?? 0, current.usage[month] ?? 0);
    if (history[month] !== undefined) delete usage[month];
  }
  return {
    hash: current.hash,
    fields: isArchiveNewer ? archived.fields : current.fields,
    totalRequests: Math.max(archived.totalRequests, current.totalRequests),
    usage,
    history,
  };
}
