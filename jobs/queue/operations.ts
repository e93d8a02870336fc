import type { Job } from 'bullmq';
import type {
  Operations,
  OpsAction,
  OpsJob,
  OpsQueue,
  OpsSchedule,
} from '../../api/schemas/operations.ts';
import { RedisUnavailableError } from '../../warehouse/errors.ts';
import { connectedWorkers, parseWorkerName } from './connected-workers.ts';
import { failureReason } from './failed-reason.ts';
import {
  openQueuesWithoutEvents,
  QUEUE_NAMES,
  type JobProgress,
  type QueueName,
  type Queues,
} from './queues.ts';
import { readJob } from './job-state.ts';
import { queueOperatorRequest } from './requests.ts';
import { currentSchedules } from './schedule-changes.ts';
import { readScheduleMarks } from './schedule-marks.ts';
import type { Schedule } from './schedules.ts';

type QueueAccess = Pick<Queues, 'queue'>;
type RedisReader = Parameters<typeof currentSchedules>[0];

/** Deadline of a command to Redis. It is short, because an operator waits for the page. */
const DEADLINE_MS = 2_000;
const MAX_FAILED = 50;
const MAX_RUNNING = 50;

/** Opens the queues for the operators' pages. */
export function openOperations(redisUrl: string, schedules: readonly Schedule[]): Operations {
  const queues = openQueuesWithoutEvents(redisUrl);
  return {
    readState: () => withDeadline(readQueues(queues, queues.redis, schedules)),
    readJob: (queue, id) => withDeadline(readJob(queues, queue, id)),
    enqueue: async (action: OpsAction, by: string) => {
      const { id } = await withDeadline(queueOperatorRequest(queues, { ...action, by }));
      return id;
    },
    boards: () => QUEUE_NAMES.map((name) => queues.queue(name)),
    close: queues.close,
  };
}

async function readQueues(queues: QueueAccess, redis: RedisReader, schedules: readonly Schedule[]) {
  const [states, workers, times] = await Promise.all([
    Promise.all(QUEUE_NAMES.map((name) => readQueue(queues, name))),
    connectedWorkers(queues),
    readSchedules(queues, redis, schedules),
  ]);
  return { queues: states, workers, schedules: times };
}

async function readQueue(queues: QueueAccess, name: QueueName): Promise<OpsQueue> {
  const queue = queues.queue(name);
  const [workers, counts, active, delayed, failed] = await Promise.all([
    queue.getWorkersCount(),
    queue.getJobCounts('waiting', 'waiting-children', 'prioritized', 'failed'),
    queue.getJobs(['active'], 0, MAX_RUNNING - 1),
    queue.getJobs(['delayed'], 0, MAX_RUNNING - 1),
    queue.getJobs(['failed'], 0, MAX_FAILED - 1),
  ]);
  const { waiting = 0, prioritized = 0, failed: failedCount = 0 } = counts;
  return {
    queue: name,
    workers,
    waiting: waiting + prioritized + (counts['waiting-children'] ?? 0),
    running: active.map(toOpsJob),
    // Leaves out delayed jobs without attempts: they are the next runs of schedules.
    retrying: delayed.filter(({ attemptsMade }) => attemptsMade > 0).map(toOpsJob),
    failed: failed.map(toOpsJob),
    failedCount,
  };
}

function toOpsJob(job: Job): OpsJob {
  const { done, total, what } = (job.progress ?? {}) as Partial<JobProgress>;
  return {
    id: job.id ?? job.name,
    name: job.name,
    since: new Date(job.processedOn ?? job.timestamp).toISOString(),
    attempts: job.attemptsMade,
    ...(total !== undefined && { progress: `${done} of ${total}, ${what}` }),
    ...(job.failedReason && { why: failureReason(job) }),
    ...(job.processedBy !== undefined && { host: parseWorkerName(job.processedBy).host }),
  };
}

/** Reads the schedules as they run now, with their next runs and the outcomes of their last runs. */
export async function readSchedules(
  queues: QueueAccess,
  redis: RedisReader,
  own: readonly Schedule[],
): Promise<OpsSchedule[]> {
  const marks = await readScheduleMarks(redis);
  const schedules = await currentSchedules(redis, own);
  return Promise.all(
    schedules.map(async ({ id, what, pattern, tz, queue, isPaused, isFixed, setting, changed }) => {
      const next = (await queues.queue(queue).getJobScheduler(id))?.next;
      const last = marks.get(id)?.last;
      return {
        id,
        what,
        pattern,
        tz,
        ...(next !== undefined && { next: new Date(next).toISOString() }),
        isPaused,
        isFixed: isFixed === true,
        setting,
        ...(changed && { changed }),
        ...(last && { last }),
      };
    }),
  );
}

/** Rejects after the deadline. Without it, a page would wait as long as Redis is unreachable. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new RedisUnavailableError('the queues did not answer in time')),
    DEADLINE_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    // If `work` fails after the deadline, its error must not become an unhandled rejection.
    work.catch(() => undefined);
  }
}
