import type { Redis } from 'ioredis';
import { longestGapS } from '../../warehouse/ground/cron.ts';
import type { ScheduleChange } from '../../api/schemas/operations.ts';
import type { Queues } from './queues.ts';
import { markChanged } from './schedule-marks.ts';
import { registerSchedules, TIME_ZONE, type Schedule } from './schedules.ts';

/** A schedule as it runs now: the settings of the service, with the changes of operators. */
export type CurrentSchedule = Schedule & {
  tz: string;
  isPaused: boolean;
  /** The pattern in the settings of the service. */
  setting: string;
  /** The author and the time (ISO) of the last change. Absent if the schedule runs as in the settings. */
  changed?: { by: string; at: string };
};

/** The schedule does not exist, or must not be changed. */
export class ScheduleRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'ScheduleRefusedError';
}

/** Times of a schedule in the settings of the service. */
type Setting = { pattern: string; tz: string };

/** Change of a schedule by an operator. Without a pattern, the pattern of the settings applies. */
type StoredChange = { pattern?: string; isPaused: boolean; by: string; at: string };

/**
 * Redis hash from schedule to `Setting` as JSON. Only workers of `make run` and `make worker` write this hash, when
 * they start. If Redis loses the hash, the next start writes it again.
 */
const SETTINGS = 'hw:schedules:settings';
/** Redis hash from schedule to `StoredChange` as JSON. */
const CHANGES = 'hw:schedules:changes';

type RedisReader = Pick<Redis, 'hgetall'>;

/**
 * Stores the settings of the service in Redis. The status, the pages, and workers that a command starts read the
 * settings there.
 */
export async function saveSettings(
  redis: Pick<Redis, 'hset'>,
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { id, pattern, tz = TIME_ZONE } of schedules) {
    const setting: Setting = { pattern, tz };
    await redis.hset(SETTINGS, id, JSON.stringify(setting));
  }
}

/** Returns whether Redis has the settings of the service. Redis lacks the settings after it has lost its data. */
export async function hasSettings(redis: RedisReader): Promise<boolean> {
  return Object.keys(await redis.hgetall(SETTINGS)).length > 0;
}

/**
 * Returns the schedules as they run now. Changes of operators take precedence. Next come the settings of the service in
 * Redis, and last the settings of this process (`own`).
 */
export async function currentSchedules(
  redis: RedisReader,
  own: readonly Schedule[],
): Promise<CurrentSchedule[]> {
  const [settings, changes] = await Promise.all([redis.hgetall(SETTINGS), redis.hgetall(CHANGES)]);
  return own.map((schedule) => {
    const { id } = schedule;
    const { pattern: setting, tz = TIME_ZONE } = parse<Setting>(settings[id]) ?? schedule;
    const change = parse<StoredChange>(changes[id]);
    const pattern = change?.pattern ?? setting;
    const isPaused = change?.isPaused ?? false;
    return {
      ...schedule,
      pattern,
      tz,
      setting,
      isPaused,
      // A paused schedule never runs, so it is never overdue.
      everyS: isPaused ? 0 : longestGapS(pattern, tz),
      ...(change && { changed: { by: change.by, at: change.at } }),
    };
  });
}

export type ScheduleChangeDeps = {
  queues: Pick<Queues, 'queue'>;
  redis: RedisReader & Pick<Redis, 'hset' | 'hdel'>;
  schedules: readonly Schedule[];
  now: () => Date;
};

/**
 * Pauses, resumes or changes a schedule at once. Returns the schedule. The change lasts until `reset`, or until Redis
 * loses its data.
 */
export async function changeSchedule(
  change: ScheduleChange,
  by: string,
  { queues, redis, schedules, now }: ScheduleChangeDeps,
): Promise<CurrentSchedule> {
  const current = await currentSchedules(redis, schedules);
  const before = current.find(({ id }) => id === change.id);
  if (!before) {
    const ids = current.map(({ id }) => id).join(', ');
    throw new ScheduleRefusedError(`there is no schedule ${change.id}; the schedules are ${ids}`);
  }
  if (before.isFixed) {
    throw new ScheduleRefusedError(
      `the schedule ${change.id} cannot be changed: API keys and their counts depend on it`,
    );
  }
  const stored = storedChange(before, change, { by, at: now().toISOString() });
  if (stored) await redis.hset(CHANGES, change.id, JSON.stringify(stored));
  else await redis.hdel(CHANGES, change.id);
  const after = (await currentSchedules(redis, schedules)).find(({ id }) => id === change.id);
  if (!after) throw new ScheduleRefusedError(`there is no schedule ${change.id}`);
  await registerSchedules(queues, [after]);
  await markChanged(redis, after, now());
  return after;
}

/** Returns the change to store; undefined if the schedule then runs as in the settings. */
function storedChange(
  { pattern: current, setting, isPaused: wasPaused }: CurrentSchedule,
  { change, pattern: wanted }: ScheduleChange,
  who: { by: string; at: string },
): StoredChange | undefined {
  if (change === 'reset') return undefined;
  const pattern = change === 'pattern' ? (wanted ?? current) : current;
  const isPaused = change === 'pause' || (change === 'pattern' && wasPaused);
  if (pattern === setting && !isPaused) return undefined;
  return { ...(pattern !== setting && { pattern }), isPaused, ...who };
}

function parse<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
