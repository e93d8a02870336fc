import type { Redis } from 'ioredis';
import type { Schedule } from './schedules.ts';

/** Outcome of the last run of a schedule's job. */
export type ScheduleOutcome = {
  /** ISO. */
  at: string;
  isOk: boolean;
  /** The result in a few words, or the error. */
  text?: string;
};

/**
 * Marks of a schedule:
 * - `since`: Unix time in ms at which the schedule got its current times
 * - `succeeded`: Unix time in ms of the last successful run of the schedule's job
 * - `last`: outcome of the last run.
 */
export type ScheduleMarks = { since?: number; succeeded?: number; last?: ScheduleOutcome };

/** Redis hashes from schedule to Unix time in ms. They have no expiry, because they must outlive every worker. */
const SINCE = 'hw:schedules:since';
const SUCCEEDED = 'hw:schedules:succeeded';
/** Redis hash from schedule to `ScheduleOutcome` as JSON. */
const LAST = 'hw:schedules:last';
/** Longest text of an outcome; the ledger has the rest. */
const MAX_TEXT = 300;

/** Records when these schedules were first registered. Does not change earlier records. */
export async function markRegistered(
  redis: Pick<Redis, 'hsetnx'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  for (const { id } of schedules) await redis.hsetnx(SINCE, id, String(now.getTime()));
}

/**
 * Records that a schedule got new times, or runs again after a pause. From this time on, the schedule has a full
 * interval before it is overdue.
 */
export async function markChanged(
  redis: Pick<Redis, 'hset'>,
  { id }: Pick<Schedule, 'id'>,
  now: Date,
): Promise<void> {
  await redis.hset(SINCE, id, String(now.getTime()));
}

/** Records the outcomes of the jobs of these schedules, for scheduled and for requested jobs. */
export async function markEnded(
  redis: Pick<Redis, 'hset'>,
  schedules: readonly Pick<Schedule, 'id'>[],
  { isOk, text }: Omit<ScheduleOutcome, 'at'>,
  now: Date,
): Promise<void> {
  const last: ScheduleOutcome = {
    at: now.toISOString(),
    isOk,
    ...(text !== undefined && { text: text.slice(0, MAX_TEXT) }),
  };
  for (const { id } of schedules) {
    if (isOk) await redis.hset(SUCCEEDED, id, String(now.getTime()));
    await redis.hset(LAST, id, JSON.stringify(last));
  }
}

/** Reads the marks of all schedules by id. */
export async function readScheduleMarks(
  redis: Pick<Redis, 'hgetall'>,
): Promise<Map<string, ScheduleMarks>> {
  const [since, succeeded, last] = await Promise.all([
    redis.hgetall(SINCE),
    redis.hgetall(SUCCEEDED),
    redis.hgetall(LAST),
  ]);
  const ids = new Set([since, succeeded, last].flatMap((times) => Object.keys(times)));
  return new Map(
    [...ids].map((id) => {
      const outcome = last[id];
      return [
        id,
        {
          ...(since[id] !== undefined && { since: Number(since[id]) }),
          ...(succeeded[id] !== undefined && { succeeded: Number(succeeded[id]) }),
          ...(outcome !== undefined && { last: JSON.parse(outcome) as ScheduleOutcome }),
        },
      ];
    }),
  );
}
