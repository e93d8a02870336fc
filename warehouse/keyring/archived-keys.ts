import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { ARCHIVED_FIELDS, keyHashes, redisKeys } from './layout.ts';
import { finishedMonths, quotaMonth } from './month.ts';

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
};

const RESTORE = readFileSync(new URL('restore.lua', import.meta.url), 'utf8');

/** All keys of Redis. */
export async function readKeys(redis: Redis, now: Date): Promise<KeptKey[]> {
  const keys: KeptKey[] = [];
  for await (const hashes of keyHashes(redis)) {
    const found = await Promise.all(hashes.map((hash) => readKey(redis, hash, now)));
    keys.push(...found.filter((key) => key !== undefined));
  }
  return keys;
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
  const report: RestoreReport = { added: 0, changed: 0, same: 0 };
  for (const { hash, fields, totalRequests, usage, history } of keys) {
    const months = Object.keys(usage);
    const places = [redisKeys.key(hash), redisKeys.history(hash)];
    places.push(...months.map((month) => redisKeys.usage(hash, month)));
    const counts = months.map((month) => String(usage[month]));
    const archived = JSON.stringify({ fields, total: String(totalRequests), counts, history });
    const [outcome] = await Promise.all([
      redis.eval(RESTORE, places.length, ...places, archived),
      redis.set(redisKeys.prefix(fields.prefix), hash, 'NX'),
      redis.sadd(redisKeys.all, hash),
    ]);
    report[outcome as keyof RestoreReport] += 1;
  }
  return report;
}

async function readKey(redis: Redis, hash: string, now: Date): Promise<KeptKey | undefined> {
  const [stored, history] = await Promise.all([
    redis.hgetall(redisKeys.key(hash)),
    redis.hgetall(redisKeys.history(hash)),
  ]);
  const createdAt = stored['created_at'];
  // Listed, but not stored yet; the next archive has it.
  if (createdAt === undefined) return undefined;
  const months = [...finishedMonths(new Date(createdAt), now), quotaMonth(now).name].filter(
    (month) => history[month] === undefined,
  );
  const places = months.map((month) => redisKeys.usage(hash, month));
  const counts = places.length === 0 ? [] : await redis.mget(places);
  const usage = months.map((month, at) => [month, Number(counts[at] ?? 0)] as const);
  const known = { changed_at: createdAt, ...stored };
  const fields = ARCHIVED_FIELDS.flatMap((field) => {
    const text = (known as Record<string, string>)[field];
    return text === undefined ? [] : [[field, text]];
  });
  return {
    hash,
    fields: Object.fromEntries(fields) as KeptKey['fields'],
    totalRequests: Number(stored['total_requests'] ?? 0),
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
