import type { Job } from 'bullmq';
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
    /** How long the oldest waiting job has waited; 0 if no job waits. */
    oldestWaitS: number;
    workers: number;
  }[];
  schedules: (ScheduleMarks & { id: string; everyS: number })[];
};

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
        const [jobs, workers, oldest] = await Promise.all([
          queue.getJobCounts(...COUNTED_STATES),
          queue.getWorkersCount(),
          Promise.all(WAITING_STATES.map((state) => queue.getJobs([state], 0, 0, true))),
        ]);
        const waitsS = oldest.flat().map((job: Job) => (now.getTime() - dueAt(job)) / 1000);
        return { queue: name, jobs, workers, oldestWaitS: Math.max(0, ...waitsS) };
      }),
    ),
    // A schedule that is off or paused never runs, so it is never overdue.
    schedules: current
      .filter(({ everyS }) => everyS > 0)
      .map(({ id, everyS }) => ({ id, everyS, ...marks.get(id) })),
  };
}

/**
 * Returns the Unix time in ms from which the job could start. A scheduled job is created one interval before that time.
 */
function dueAt({ timestamp, opts }: Job): number {
  return timestamp + (opts.delay ?? 0);
}
