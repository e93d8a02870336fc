import type { Redis } from 'ioredis';

/** When the data behind answers are next refreshed, shared by worker and API. */
const KEY = 'hw:refresh:next';

/** The schedules after whose runs answers may change. */
const REFRESH_SCHEDULES: readonly string[] = ['nightly', 'weather', 'news', 'nas'];

/** A worker writes the time every half minute. Without workers the time must expire. */
const MAX_AGE_S = 120;

/** Saves the earliest next run (ISO) of the schedules that refresh data. */
export async function saveNextRefresh(
  redis: Pick<Redis, 'set'>,
  schedules: readonly { id: string; next?: string }[],
): Promise<void> {
  const [next] = schedules
    .flatMap((schedule) => (REFRESH_SCHEDULES.includes(schedule.id) ? (schedule.next ?? []) : []))
    .toSorted();
  if (next !== undefined) await redis.set(KEY, next, 'EX', MAX_AGE_S);
}

/** Reads the time (ISO) of the next refresh; undefined without workers. */
export async function readNextRefresh(redis: Pick<Redis, 'get'>): Promise<string | undefined> {
  return (await redis.get(KEY)) ?? undefined;
}
