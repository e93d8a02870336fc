import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAMES, type QueueName, type Queues } from './queues.ts';
import { readScheduleMarks, type ScheduleMarks } from './schedule-marks.ts';
import { currentSchedules } from './schedule-changes.ts';
import type { Schedule } from './schedules.ts';

/** The current state of queues, workers and schedules. */
export type QueueState = {
  queues: {
    queue: QueueName;
    /** Jobs by state. */
    jobs: Record<string, number>;
    /** Waiting time of the oldest waiting job; 0 if no job waits. */
    oldestWaitS: number;
    workers: number;
  }[];
  schedules: (ScheduleMarks & { id: string; everyS: number })[];
};

/**
 * Time after which a schedule is overdue: 1.5 intervals plus an hour, because a scheduled job may wait for a long
 * build.
 */
const LATE_INTERVALS = 1.5;
const LATE_S = 3_600;

const WAITING_STATES = ['waiting', 'prioritized'] as const;
const COUNTED_STATES = [
  ...WAITING_STATES,
  'waiting-children',
  'active',
  'delayed',
  'failed',
] as const;

/** Reads the state from Redis. Waits while Redis is unreachable. */
export async function readQueueState(
  queues: Queues,
  redis: Pick<Redis, 'hgetall'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<QueueState> {
  const marks = await readScheduleMarks(redis);
  const current = await currentSchedules(redis, schedules);
  return {
    queues: await Promise.all(
      QUEUE_NAMES.map(async (name) => {
        const queue = queues.queue(name);
        const [jobs, workers, waitS] = await Promise.all([
          queue.getJobCounts(...COUNTED_STATES),
          queue.getWorkersCount(),
          oldestWaitS(queue, now),
        ]);
        return { queue: name, jobs, workers, oldestWaitS: waitS };
      }),
    ),
    // A schedule that is off or paused never runs, so it is never overdue.
    schedules: current
      .filter(({ everyS }) => everyS > 0)
      .map(({ id, everyS }) => ({ id, everyS, ...marks.get(id) })),
  };
}

/** Returns the waiting time of the oldest job that could start, in seconds; 0 if no job waits. */
export async function oldestWaitS(queue: Pick<Queue, 'getJobs'>, now: Date): Promise<number> {
  const oldest = await Promise.all(
    WAITING_STATES.map((state) => queue.getJobs([state], 0, 0, true)),
  );
  const waitsS = oldest.flat().map((job: Job) => (now.getTime() - dueAt(job)) / 1000);
  return Math.max(0, ...waitsS);
}

/**
 * Whether the job of a schedule has not succeeded in time. A schedule that is off never runs, so it is never overdue.
 */
export function isLate(
  { succeeded, since, everyS }: ScheduleMarks & Pick<Schedule, 'everyS'>,
  now: Date,
): boolean {
  // A schedule that was changed or resumed is not overdue before its first run after the change.
  const last = Math.max(succeeded ?? 0, since ?? 0);
  const limitMs = 1_000 * (LATE_INTERVALS * everyS + LATE_S);
  return everyS > 0 && last > 0 && now.getTime() - last > limitMs;
}

/**
 * Returns the Unix time in ms from which the job could start. A scheduled job is created one interval before that time.
 */
function dueAt({ timestamp, opts }: Job): number {
  return timestamp + (opts.delay ?? 0);
}
