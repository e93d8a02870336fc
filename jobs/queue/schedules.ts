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
  /** The longest time between two runs, in seconds. */
  everyS: number;
  /** For people. */
  what: string;
};

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** What comes by itself; the times are in docs/operations.md. */
export const SCHEDULES: readonly Schedule[] = [
  {
    id: 'nightly',
    queue: 'warehouse',
    job: 'nightly',
    pattern: '30 2 * * *',
    everyS: 24 * HOUR_S,
    what: 'build the features, run the checks, train on new months, publish',
  },
  {
    id: 'usage-rollover',
    queue: 'warehouse',
    job: 'usage-rollover',
    pattern: '5 0 1 * *',
    everyS: 31 * 24 * HOUR_S,
    what: 'write down the finished month of each key',
  },
  {
    id: 'archive-keys',
    queue: 'warehouse',
    job: 'archive-keys',
    pattern: '*/5 * * * *',
    everyS: 5 * MINUTE_S,
    what: 'copy keys and counts to the archive',
  },
  {
    id: 'weather',
    queue: 'live',
    job: 'refresh-weather',
    pattern: '10 */3 * * *',
    everyS: 3 * HOUR_S,
    what: 'fetch the weather forecasts',
  },
  {
    id: 'news',
    queue: 'live',
    job: 'refresh-news',
    pattern: '*/30 * * * *',
    everyS: 30 * MINUTE_S,
    what: 'fetch the news',
  },
  {
    id: 'nas',
    queue: 'live',
    job: 'refresh-nas',
    pattern: '*/10 * * * *',
    everyS: 10 * MINUTE_S,
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
