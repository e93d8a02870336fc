import type { Redis } from 'ioredis';
import { readUse, type Use } from './activity.ts';
import type { KeyRecordError } from './errors.ts';
import { redisKeys } from './layout.ts';
import { quotaMonth } from './month.ts';
import { forEachKey, readCount, readRecord, type StoredKey } from './record.ts';

/** A key as operators see it. Rotated keys belong to one account and share its limit and counts. */
export type ListedKey = {
  prefix: string;
  name: string;
  monthlyLimit: number;
  /** Calls of the current month. */
  monthCount: number;
  totalRequests: number;
  isAdmin: boolean;
  /**
   * - `ending`: the key has an end in the future.
   * - `expired`: the end has passed.
   * - `broken`: the record is broken, and only `prefix` is meaningful.
   */
  state: 'active' | 'inactive' | 'expired' | 'ending' | 'broken';
  /** The error of a broken record. */
  problem?: string;
  /** ISO 8601. */
  createdAt: string;
  until?: string;
  seenAt?: string;
  /** Identifies the account by the prefix of its first key. A key that was created by rotation has another `prefix`. */
  account: string;
};

/** Lists all keys, sorted by name and age. */
export async function listKeys(redis: Redis, at: Date): Promise<ListedKey[]> {
  const { done, broken } = await forEachKey(redis, (hash) => readListedKey(redis, hash, at));
  const all = [...done.flat(), ...[...broken.values()].map(toBrokenKey)];
  return all.toSorted((a, b) => compare(sortKeyOf(a), sortKeyOf(b)));
}

/** Reads the use of all keys of an account in the given months. */
export async function readAccountUse(
  redis: Redis,
  account: string,
  months: string[],
): Promise<Use> {
  const { done } = await forEachKey(redis, async (hash) => {
    const owner = await redis.hget(redisKeys.key(hash), 'of');
    return (owner ?? hash) === account ? [hash] : [];
  });
  return mergeUses(await Promise.all(done.flat().map((hash) => readUse(redis, hash, months))));
}

async function readListedKey(redis: Redis, hash: string, at: Date): Promise<ListedKey[]> {
  const stored = await readRecord(redis, hash);
  if (stored === undefined) return [];
  const { of: account = hash, prefix = '' } = stored;
  const [owner = {}, used, seenAt] = await Promise.all([
    account === hash ? stored : readRecord(redis, account),
    redis.get(redisKeys.usage(account, quotaMonth(at).name)),
    redis.get(redisKeys.seen(hash)),
  ]);
  const monthCount = readCount(used, 'usage', prefix);
  return [{ ...buildListedKey(stored, owner, at), monthCount, ...seenAtField(seenAt) }];
}

function buildListedKey(
  stored: StoredKey,
  owner: StoredKey,
  at: Date,
): Omit<ListedKey, 'monthCount'> {
  const end = stored['until'] ? new Date(Number(stored['until'])) : undefined;
  return {
    prefix: stored['prefix'] ?? '',
    name: owner['name'] ?? '',
    monthlyLimit: Number(owner['monthly_limit']),
    totalRequests: Number(owner['total_requests'] ?? 0),
    isAdmin: owner['admin'] === '1',
    state: stateOf(owner['active'] !== '0', end, at),
    createdAt: stored['created_at'] ?? '',
    ...(end && { until: end.toISOString() }),
    account: owner['prefix'] ?? '',
  };
}

function toBrokenKey({ key, message }: KeyRecordError): ListedKey {
  return {
    prefix: key,
    name: '',
    monthlyLimit: 0,
    monthCount: 0,
    totalRequests: 0,
    isAdmin: false,
    state: 'broken',
    problem: message,
    createdAt: '',
    account: key,
  };
}

function stateOf(isOn: boolean, end: Date | undefined, at: Date): ListedKey['state'] {
  if (end && end <= at) return 'expired';
  if (!isOn) return 'inactive';
  return end ? 'ending' : 'active';
}

function seenAtField(at: string | null): { seenAt?: string } {
  return at === null ? {} : { seenAt: at };
}

/** Returns the text to sort by: name, then account, then time of creation. */
function sortKeyOf({ name, account, createdAt }: ListedKey): string {
  return `${name}\n${account}\n${createdAt}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function mergeUses(uses: Use[]): Use {
  const calls: Use['calls'] = {};
  for (const [month, counts] of uses.flatMap((use) => Object.entries(use.calls))) {
    const sum = (calls[month] ??= {});
    for (const [endpoint, count] of Object.entries(counts)) {
      sum[endpoint] = (sum[endpoint] ?? 0) + count;
    }
  }
  const seenAt = uses
    .flatMap((use) => use.seenAt ?? [])
    .toSorted()
    .at(-1);
  return { ...(seenAt !== undefined && { seenAt }), calls };
}
