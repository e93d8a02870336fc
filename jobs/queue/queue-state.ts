import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAMES, type QueueName, type Queues } from './queues.ts';
import { scheduleMarks, type ScheduleMarks } from './schedule-marks.ts';
import type { Schedule } from './schedules.ts';

/** What waits and who works, as of now. */
export type QueueState = {
  queues: {
    queue: QueueName;
    /** Jobs by state. */
    jobs: Record<string, number>;
    /** How long the job has waited that has waited longest; 0 while none waits. */
    oldestWaitS: number;
    workers: number;
  }[];
  schedules: (ScheduleMarks & { id: string; everyS: number })[];
};

const WAITING = ['waiting', 'prioritized'] as const;
const COUNTED = [...WAITING, 'waiting-children', 'active', 'delayed', 'failed'] as const;

/** Asks Redis; waits as long as it is away. */
export async function readQueueState(
  queues: Queues,
  redis: Pick<Redis, 'hgetall'>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<QueueState> {
  const marks = await scheduleMarks(redis);
  return {
    queues: await Promise.all(
      QUEUE_NAMES.map(async (name) => {
        const queue = queues.queue(name);
        const [jobs, workers, oldest] = await Promise.all([
          queue.getJobCounts(...COUNTED),
          queue.getWorkersCount(),
          Promise.all(WAITING.map((state) => queue.getJobs([state], 0, 0, true))),
        ]);
        const waits = oldest.flat().map((job: Job) => (now.getTime() - dueAt(job)) / 1000);
        return { queue: name, jobs, workers, oldestWaitS: Math.max(0, ...waits) };
      }),
    ),
    // What is off never comes, and is never late.
    schedules: schedules
      .filter(({ everyS }) => everyS > 0)
      .map(({ id, everyS }) => ({ id, everyS, ...marks.get(id) })),
  };
}

/** Unix time in ms at which the job might have begun first: a scheduled one is made a whole turn ahead. */
function dueAt({ timestamp, opts }: Job): number {
  return timestamp + (opts.delay ?? 0);
}
