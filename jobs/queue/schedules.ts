import { JOB_OPTIONS, LIVE_JOB_OPTIONS } from './retry.ts';
import type { QueueName, Queues } from './queues.ts';

/** A job that comes by itself. */
export type Schedule = {
  id: string;
  queue: QueueName;
  /** Name of the job. */
  job: string;
  /** Cron, in UTC; a sixth field at its beginning is seconds. */
  pattern: string;
  /** For people. */
  what: string;
};

/** What comes by itself; the times are in docs/operations.md. */
export const SCHEDULES: readonly Schedule[] = [
  {
    id: 'nightly',
    queue: 'warehouse',
    job: 'nightly',
    pattern: '30 2 * * *',
    what: 'build the features, run the checks, train on new months, publish',
  },
  {
    id: 'usage-rollover',
    queue: 'warehouse',
    job: 'usage-rollover',
    pattern: '5 0 1 * *',
    what: 'write down the finished month of each key',
  },
  {
    id: 'archive-keys',
    queue: 'warehouse',
    job: 'archive-keys',
    pattern: '*/5 * * * *',
    what: 'copy keys and counts to the archive',
  },
  {
    id: 'weather',
    queue: 'live',
    job: 'refresh-weather',
    pattern: '10 */3 * * *',
    what: 'fetch the weather forecasts',
  },
  {
    id: 'news',
    queue: 'live',
    job: 'refresh-news',
    pattern: '*/30 * * * *',
    what: 'fetch the news',
  },
  {
    id: 'nas',
    queue: 'live',
    job: 'refresh-nas',
    pattern: '*/10 * * * *',
    what: 'fetch the airport status of the FAA, where NAS_STATUS_URL is set',
  },
];

const TIME_ZONE = 'UTC';

/**
 * Sees to it that each schedule is kept, once, however many workers start. One that is kept as it should be is
 * left alone, with its next run: a night that no worker was there for is made up when the next one starts.
 */
export async function keepSchedules(
  queues: Pick<Queues, 'queue'>,
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { id, queue: name, job, pattern } of schedules) {
    const queue = queues.queue(name);
    const kept = await queue.getJobScheduler(id);
    const isSame = kept?.name === job && kept.pattern === pattern && kept.tz === TIME_ZONE;
    // Each run asks for the next one; where that was removed, the chain has to be begun anew.
    if (isSame && (await queue.getJob(`repeat:${id}:${kept.next}`))) continue;
    const opts = name === 'live' ? LIVE_JOB_OPTIONS : JOB_OPTIONS;
    const template = { name: job, data: {}, opts };
    await queue.upsertJobScheduler(id, { pattern, tz: TIME_ZONE }, template);
  }
}
