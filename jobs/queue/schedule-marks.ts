import type { Redis } from 'ioredis';
import type { Schedule } from './schedules.ts';

/** When a schedule was first kept, and when what it asks for last came to a good end (Unix time, ms). */
export type ScheduleMarks = { since?: number; succeeded?: number };

/** Hashes: schedule to Unix time in ms. In Redis, so that they outlive every worker. */
const SINCE = 'hw:schedules:since';
const SUCCEEDED = 'hw:schedules:succeeded';

/** Remembers since when these schedules are kept; one that is known keeps its time. */
export async function markKept(
  redis: Pick<Redis, 'hsetnx'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  for (const { id } of schedules) await redis.hsetnx(SINCE, id, String(now.getTime()));
}

/** Remembers that what these schedules ask for was done, be it by schedule or by request. */
export async function markSucceeded(
  redis: Pick<Redis, 'hset'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  if (schedules.length === 0) return;
  const times = Object.fromEntries(schedules.map(({ id }) => [id, String(now.getTime())]));
  await redis.hset(SUCCEEDED, times);
}

/** What is remembered, by schedule. */
export async function scheduleMarks(
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
