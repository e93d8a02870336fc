import type { Redis } from 'ioredis';
import { KeyRecordError } from './errors.ts';
import { ARCHIVED_FIELDS, redisKeys } from './layout.ts';
import { finishedMonths, quotaMonth } from './month.ts';
import { brokenApart, forEachKey, readCount, readRecord } from './record.ts';
import { scriptOf } from './scripts.ts';

/** A key with its counts, as the archive has it: without the secret, which nobody has, and without the e-mail address. */
export type KeptKey = {
  /** SHA-256 of the secret. */
  hash: string;
  /** As in Redis, but for the e-mail address and the count. */
  fields: Record<'prefix' | 'created_at' | 'changed_at', string> &
    Partial<Record<(typeof ARCHIVED_FIELDS)[number], string>>;
  totalRequests: number;
  /** Calls by month, of those that are not in the history yet. */
  usage: Record<string, number>;
  /** Rows of finished months as Redis has them. */
  history: Record<string, string>;
};

export type RestoreReport = {
  /** Keys Redis did not know. */
  added: number;
  /** Keys that were switched on or off, or used, after what Redis knew. */
  changed: number;
  same: number;
  /** Of each key that could not be brought back for what Redis holds in its place: what that is. */
  broken: string[];
};

const RESTORE = scriptOf('restore.lua');

/** All keys of Redis; those whose record makes no sense apart, by their hash. */
export async function readKeys(
  redis: Redis,
  now: Date,
): Promise<{ keys: KeptKey[]; broken: Map<string, KeyRecordError> }> {
  const { done, broken } = await forEachKey(redis, (hash) => readKey(redis, hash, now));
  return { keys: done.filter((key) => key !== undefined), broken };
}

/**
 * What is known of all keys together. A key of both has the fields of whichever changed last and the higher counts:
 * a Redis that came back empty, or with an old copy, takes nothing away.
 */
export function mergeKeys(archived: KeptKey[], current: KeptKey[]): KeptKey[] {
  const merged = new Map(archived.map((key) => [key.hash, key]));
  for (const key of current) {
    const known = merged.get(key.hash);
    merged.set(key.hash, known ? mergeKey(known, key) : key);
  }
  return [...merged.values()];
}

/** Brings the keys back, each in one step: no count goes down, and what changed later than the archive stays. */
export async function restoreKeys(redis: Redis, keys: KeptKey[]): Promise<RestoreReport> {
  const report: RestoreReport = { added: 0, changed: 0, same: 0, broken: [] };
  for (const key of keys) {
    const outcome = await brokenApart(key.hash, () => restoreKey(redis, key));
    if (outcome instanceof KeyRecordError) report.broken.push(outcome.message);
    else report[outcome] += 1;
  }
  return report;
}

async function restoreKey(
  redis: Redis,
  { hash, fields, totalRequests, usage, history }: KeptKey,
): Promise<'added' | 'changed' | 'same'> {
  // Archives of before let counts in that were none.
  const months = Object.keys(usage).filter((month) => Number.isSafeInteger(usage[month]));
  const total = Number.isSafeInteger(totalRequests) ? String(totalRequests) : '0';
  const places = [redisKeys.key(hash), redisKeys.history(hash)];
  places.push(...months.map((month) => redisKeys.usage(hash, month)));
  const counts = months.map((month) => String(usage[month]));
  const archived = JSON.stringify({ fields, total, counts, history });
  const [outcome] = await Promise.all([
    redis.eval(RESTORE, places.length, ...places, archived),
    redis.set(redisKeys.prefix(fields.prefix), hash, 'NX'),
    redis.sadd(redisKeys.all, hash),
  ]);
  return outcome as 'added' | 'changed' | 'same';
}

async function readKey(redis: Redis, hash: string, now: Date): Promise<KeptKey | undefined> {
  const [stored, history] = await Promise.all([
    readRecord(redis, hash),
    redis.hgetall(redisKeys.history(hash)),
  ]);
  // Listed, but not stored yet; the next archive has it.
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
  const known: Record<string, string> = { changed_at: createdAt, ...stored };
  const fields = ARCHIVED_FIELDS.flatMap((field) => {
    const text = known[field];
    return text === undefined ? [] : [[field, text]];
  });
  return {
    hash,
    fields: Object.fromEntries(fields) as KeptKey['fields'],
    totalRequests: readCount(stored['total_requests'], 'total_requests', prefix),
    usage: Object.fromEntries(usage.filter(([, count]) => count > 0)),
    history,
  };
}

function mergeKey(archived: KeptKey, current: KeptKey): KeptKey {
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
