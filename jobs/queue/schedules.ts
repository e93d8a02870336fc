import type { JobsOptions } from 'bullmq';
import { JOB_OPTIONS, LIVE_JOB_OPTIONS, MONTH_JOB_OPTIONS } from './retry.ts';
import { longestGapS, OFF, type ScheduleTimes } from './schedule-times.ts';
import type { QueueName, Queues } from './queues.ts';

/** A job that comes by itself. */
export type Schedule = {
  id: string;
  queue: QueueName;
  /** Name of the job. */
  job: string;
  /** Cron, in `tz`; a sixth field at its beginning is seconds. `off`: it does not come. */
  pattern: string;
  /** UTC where it is absent. */
  tz?: string;
  /** The longest time between two runs, in seconds. */
  everyS: number;
  /** For people. */
  what: string;
};

/** What comes by itself at these times. Usage and archive are of keys, whose months are those of UTC. */
export function schedulesOf(times: ScheduleTimes): Schedule[] {
  const { timeZone: tz } = times;
  const schedules: Omit<Schedule, 'everyS'>[] = [
    {
      id: 'months',
      queue: 'extract',
      job: 'look-for-months',
      pattern: times.months,
      tz,
      what: 'fetch the months that came out, then build and publish',
    },
    {
      id: 'nightly',
      queue: 'warehouse',
      job: 'nightly',
      pattern: times.nightly,
      tz,
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
      pattern: times.weather,
      tz,
      what: 'fetch the weather forecasts',
    },
    {
      id: 'news',
      queue: 'live',
      job: 'refresh-news',
      pattern: times.news,
      tz,
      what: 'fetch the news',
    },
    {
      id: 'nas',
      queue: 'live',
      job: 'refresh-nas',
      pattern: times.nas,
      tz,
      what: 'fetch the airport status of the FAA, where NAS_STATUS_URL is set',
    },
  ];
  return schedules.map((one) => ({ ...one, everyS: longestGapS(one.pattern, one.tz) }));
}

const OPTIONS: Record<QueueName, JobsOptions> = {
  extract: MONTH_JOB_OPTIONS,
  warehouse: JOB_OPTIONS,
  live: LIVE_JOB_OPTIONS,
};

const TIME_ZONE = 'UTC';

/**
 * Sees to it that each schedule is kept, once, however many workers start. One that is kept as it should be is
 * left alone, with its next run: a night that no worker was there for is made up when the next one starts.
 */
export async function keepSchedules(
  queues: Pick<Queues, 'queue'>,
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { id, queue: name, job, pattern, tz = TIME_ZONE } of schedules) {
    const queue = queues.queue(name);
    if (pattern === OFF) {
      await queue.removeJobScheduler(id);
      continue;
    }
    const kept = await queue.getJobScheduler(id);
    const isSame = kept?.name === job && kept.pattern === pattern && kept.tz === tz;
    // Each run asks for the next one; where that was removed, the chain has to be begun anew.
    if (isSame && (await queue.getJob(`repeat:${id}:${kept.next}`))) continue;
    const template = { name: job, data: {}, opts: OPTIONS[name] };
    await queue.upsertJobScheduler(id, { pattern, tz }, template);
  }
}
