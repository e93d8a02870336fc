import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { parseWorkerName } from '../../queue/connected-workers.ts';
import { readSchedules } from '../../queue/operations.ts';
import { isLate, oldestWaitS } from '../../queue/queue-state.ts';
import type { JobProgress, QueueName, Queues } from '../../queue/queues.ts';
import { OFF } from '../../../warehouse/ground/cron.ts';
import { currentSchedules } from '../../queue/schedule-changes.ts';
import { readScheduleMarks } from '../../queue/schedule-marks.ts';
import type { Schedule } from '../../queue/schedules.ts';
import type { QueueStatus, ScheduleStatus } from './types.ts';

/** Reads the status of a queue. */
export async function readQueueStatus(
  queues: Pick<Queues, 'queue'>,
  name: QueueName,
  now: Date,
): Promise<QueueStatus> {
  const queue = queues.queue(name);
  const [workers, counts, active, delayed] = await Promise.all([
    queue.getWorkersCount(),
    queue.getJobCounts('waiting', 'waiting-children', 'prioritized', 'active', 'failed'),
    queue.getActive(),
    queue.getDelayed(),
  ]);
  const { waiting = 0, prioritized = 0, failed = 0 } = counts;
  const shortOfDisk = delayed.flatMap(shortageOf);
  return {
    queue: name,
    workers,
    waiting: waiting + prioritized + (counts['waiting-children'] ?? 0),
    active: counts['active'] ?? 0,
    failed,
    oldestWaitS: await oldestWaitS(queue, now),
    running: active.map(runningJob),
    // Leaves out the next runs of schedules. They are delayed jobs too, but have no failed attempt.
    retrying: delayed
      .filter(({ attemptsMade }) => attemptsMade > 0)
      .map(({ id, name: job, attemptsMade, failedReason }) => ({
        job: id ?? job,
        attempts: attemptsMade,
        why: failedReason,
      })),
    ...(shortOfDisk.length > 0 && { shortOfDisk }),
  };
}

function shortageOf({ id, name, progress }: Job): NonNullable<QueueStatus['shortOfDisk']> {
  const { isShortOfDisk, what = '' } = progress as Partial<JobProgress>;
  return isShortOfDisk ? [{ job: id ?? name, why: what }] : [];
}

/**
 * Reads each schedule, and whether it is missing or overdue. `isService` is true if this Redis belongs to a service,
 * whose workers register the schedules.
 */
export async function readScheduleStatuses(
  queues: Pick<Queues, 'queue'>,
  redis: Pick<Redis, 'hgetall'>,
  schedules: readonly Schedule[],
  { isService, now }: { isService: boolean; now: Date },
): Promise<ScheduleStatus[]> {
  const marks = await readScheduleMarks(redis);
  const current = await currentSchedules(redis, schedules);
  const intervals = new Map(current.map(({ id, everyS }) => [id, everyS]));
  return (await readSchedules(queues, redis, schedules)).map((schedule) => {
    const { id, pattern, isPaused, next } = schedule;
    return {
      ...schedule,
      isMissing: isService && pattern !== OFF && !isPaused && next === undefined,
      isLate: isLate({ everyS: intervals.get(id) ?? 0, ...marks.get(id) }, now),
    };
  });
}

function runningJob(job: Job): QueueStatus['running'][number] {
  const { done, total, what } = job.progress as Partial<JobProgress>;
  return {
    job: job.id ?? job.name,
    since: new Date(job.processedOn ?? job.timestamp).toISOString(),
    ...(total !== undefined && { progress: `${done} of ${total}, ${what}` }),
    ...(job.processedBy !== undefined && { host: parseWorkerName(job.processedBy).host }),
  };
}
