import type { Redis } from 'ioredis';

/** Key with the time of the next refresh of the data behind answers. Workers write it; the API reads it. */
const KEY = 'hw:refresh:next';

/** The schedules that refresh the data behind answers. */
const REFRESH_SCHEDULES: readonly string[] = ['nightly', 'weather', 'news', 'nas'];

/** Expiry of the key. A worker writes the key every 20 s. Without workers, the key must disappear. */
const MAX_AGE_S = 120;

/** Saves the earliest next run (ISO) of the schedules that refresh the data. */
export async function saveNextRefresh(
  redis: Pick<Redis, 'set'>,
  schedules: readonly { id: string; next?: string }[],
): Promise<void> {
  const [next] = schedules
    .flatMap((schedule) => (REFRESH_SCHEDULES.includes(schedule.id) ? (schedule.next ?? []) : []))
    .toSorted();
  if (next !== undefined) await redis.set(KEY, next, 'EX', MAX_AGE_S);
}

/** Reads the time of the next refresh; undefined if no worker is running. */
export async function readNextRefresh(redis: Pick<Redis, 'get'>): Promise<Date | undefined> {
  const next = await redis.get(KEY);
  return next === null ? undefined : new Date(next);
}
