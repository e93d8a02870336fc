import type { Redis } from 'ioredis';
import type { Schedule } from './schedules.ts';

/** When a schedule was first registered, and when its job last succeeded (Unix time, ms). */
export type ScheduleMarks = { since?: number; succeeded?: number };

/** Redis hashes from schedule to Unix time in ms. They must outlive every worker. */
const SINCE = 'hw:schedules:since';
const SUCCEEDED = 'hw:schedules:succeeded';

/** Records when these schedules were first registered. Does not change earlier records. */
export async function markRegistered(
  redis: Pick<Redis, 'hsetnx'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  for (const { id } of schedules) await redis.hsetnx(SINCE, id, String(now.getTime()));
}

/** Records that the jobs of these schedules succeeded, no matter whether the jobs were scheduled or requested. */
export async function markSucceeded(
  redis: Pick<Redis, 'hset'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  if (schedules.length === 0) return;
  const times = Object.fromEntries(schedules.map(({ id }) => [id, String(now.getTime())]));
  await redis.hset(SUCCEEDED, times);
}

/** Reads the marks of all schedules by id. */
export async function readScheduleMarks(
  redis: Pick<Redis, 'hgetall'>,
): Promise<Map<string, ScheduleMarks>> {
  const [since, succeeded] = await Promise.all([redis.hgetall(SINCE), redis.hgetall(SUCCEEDED)]);
  const ids = new Set([...Object.keys(since), ...Object.keys(succeeded)]);
  return new Map(
    [...ids].map((id) => [
      id,
      {
        ...(since[id] !== undefined && { since: Number(since[id]) }),
        ...(succeeded[id] !== undefined && { succeeded: Number(succeeded[id]) }),
      },
    ]),
  );
}
