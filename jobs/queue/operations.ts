import type { Job } from 'bullmq';
import type {
  Operations,
  OpsAction,
  OpsJob,
  OpsQueue,
  OpsSchedule,
} from '../../api/schemas/operations.ts';
import { RedisAwayError } from '../../warehouse/errors.ts';
import { connectedWorkers, placeOf } from './connected.ts';
import { reasonOf } from './failed-reason.ts';
import { openQueuesOnly, QUEUE_NAMES, type JobProgress, type QueueName } from './queues.ts';
import type { Queues } from './queues.ts';
import { requestAsked } from './requests.ts';
import type { Schedule } from './schedules.ts';

type JustQueues = Pick<Queues, 'queue'>;

/** A person waits for the page. */
const DEADLINE_MS = 2_000;
const FAILED_SHOWN = 50;
const RUNNING_SHOWN = 50;

/** The queues as the operators' pages use them. */
export function openOperations(redisUrl: string, schedules: readonly Schedule[]): Operations {
  const queues = openQueuesOnly(redisUrl);
  return {
    look: () => inTime(lookAtQueues(queues, schedules)),
    ask: async (action: OpsAction, by: string) => {
      const { id } = await inTime(requestAsked(queues, { ...action, by }));
      return id;
    },
    boards: () => QUEUE_NAMES.map((name) => queues.queue(name)),
    close: queues.close,
  };
}

async function lookAtQueues(queues: JustQueues, schedules: readonly Schedule[]) {
  const [all, workers, times] = await Promise.all([
    Promise.all(QUEUE_NAMES.map((name) => queueOf(queues, name))),
    connectedWorkers(queues),
    Promise.all(schedules.map((one) => scheduleOf(queues, one))),
  ]);
  return { queues: all, workers, schedules: times };
}

async function queueOf(queues: JustQueues, name: QueueName): Promise<OpsQueue> {
  const queue = queues.queue(name);
  const [workers, counts, active, delayed, failed] = await Promise.all([
    queue.getWorkersCount(),
    queue.getJobCounts('waiting', 'waiting-children', 'prioritized', 'failed'),
    queue.getJobs(['active'], 0, RUNNING_SHOWN - 1),
    queue.getJobs(['delayed'], 0, RUNNING_SHOWN - 1),
    queue.getJobs(['failed'], 0, FAILED_SHOWN - 1),
  ]);
  const { waiting = 0, prioritized = 0, failed: failedCount = 0 } = counts;
  return {
    queue: name,
    workers,
    waiting: waiting + prioritized + (counts['waiting-children'] ?? 0),
    running: active.map(jobOf),
    // The next run of a schedule is delayed too, and has not been tried.
    retrying: delayed.filter(({ attemptsMade }) => attemptsMade > 0).map(jobOf),
    failed: failed.map(jobOf),
    failedCount,
  };
}

function jobOf(job: Job): OpsJob {
  const { done, total, what } = (job.progress ?? {}) as Partial<JobProgress>;
  return {
    id: job.id ?? job.name,
    name: job.name,
    since: new Date(job.processedOn ?? job.timestamp).toISOString(),
    attempts: job.attemptsMade,
    ...(total !== undefined && { progress: `${done} of ${total}, ${what}` }),
    ...(job.failedReason && { why: reasonOf(job) }),
    ...(job.processedBy !== undefined && { host: placeOf(job.processedBy).host }),
  };
}

/** A schedule as it stands: its pattern, and when it comes next. */
export async function scheduleOf(
  queues: JustQueues,
  { id, what, pattern, queue }: Schedule,
): Promise<OpsSchedule> {
  const kept = await queues.queue(queue).getJobScheduler(id);
  const next = kept?.next === undefined ? {} : { next: new Date(kept.next).toISOString() };
  return { id, what, pattern: kept?.pattern ?? pattern, ...next };
}

/** The queues wait for a Redis that is away; whoever looks at a page does not. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new RedisAwayError('the queues did not answer in time')),
    DEADLINE_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    // What comes too late is nobody's concern.
    work.catch(() => undefined);
  }
}
