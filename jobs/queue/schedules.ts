import type { JobsOptions } from 'bullmq';
import { JOB_OPTIONS, LIVE_JOB_OPTIONS, MONTH_JOB_OPTIONS } from './retry.ts';
import { longestGapS, OFF } from '../../warehouse/ground/cron.ts';
import type { ScheduleTimes } from './schedule-times.ts';
import type { QueueName, Queues } from './queues.ts';

/** A job that runs at set times. */
export type Schedule = {
  id: string;
  queue: QueueName;
  /** Name of the job. */
  job: string;
  /** Cron expression in `tz`, or `off`. An expression with six fields begins with seconds. */
  pattern: string;
  /** UTC if absent. */
  tz?: string;
  /** The longest time between two runs, in seconds. */
  everyS: number;
  /** Description for people. */
  what: string;
  /** Whether the schedule can be neither paused nor changed, because keys and counts depend on it. */
  isFixed?: true;
};

type TimedSchedule = Omit<Schedule, 'everyS'>;

/** The schedules for API keys. They are always in UTC, because the calls of a key are counted by UTC month. */
const KEY_SCHEDULES: readonly TimedSchedule[] = [
  {
    id: 'usage-rollover',
    queue: 'warehouse',
    job: 'usage-rollover',
    pattern: '5 0 1 * *',
    what: 'record the finished month of each key',
    isFixed: true,
  },
  {
    id: 'archive-keys',
    queue: 'warehouse',
    job: 'archive-keys',
    pattern: '*/5 * * * *',
    what: 'copy keys and counts to the archive',
    isFixed: true,
  },
];

/** Name of the job that searches for new figures of a provider. */
export function searchJob(provider: string): string {
  return `search-${provider}`;
}

/** Returns all schedules, with these times. */
export function schedulesOf(times: ScheduleTimes): Schedule[] {
  const { timeZone: tz } = times;
  const schedules: TimedSchedule[] = [
    {
      id: 'months',
      queue: 'extract',
      job: 'look-for-months',
      pattern: times.months,
      tz,
      what: 'fetch new months, then build and publish',
    },
    ...Object.entries(times.providers).map(([provider, pattern]) => ({
      ...{ id: provider, queue: 'extract' as const, job: searchJob(provider), pattern, tz },
      what: `fetch new figures of ${provider}; the nightly run publishes them`,
    })),
    {
      id: 'nightly',
      queue: 'warehouse',
      job: 'nightly',
      pattern: times.nightly,
      tz,
      what: 'build the features, run the checks, train on new months, publish',
    },
    ...KEY_SCHEDULES,
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
      what: 'fetch the airport status of the FAA, if NAS_STATUS_URL is set',
    },
    ...safetySchedules(times),
  ];
  return schedules.map((schedule) => ({
    ...schedule,
    everyS: longestGapS(schedule.pattern, schedule.tz),
  }));
}

/**
 * Returns the schedules that keep the data safe. Includes the schedule of the record of forecasts, because the record
 * is part of the backup.
 */
function safetySchedules(times: ScheduleTimes): TimedSchedule[] {
  const { timeZone: tz } = times;
  return [
    {
      id: 'record',
      queue: 'warehouse',
      job: 'record',
      pattern: times.record,
      tz,
      what: 'freeze forecasts, and compare former ones with the actual flights',
    },
    {
      id: 'snapshot',
      queue: 'warehouse',
      job: 'snapshot',
      pattern: times.snapshot,
      tz,
      what: 'write the forecasts of the next month as files',
    },
    {
      id: 'verify',
      queue: 'live',
      job: 'verify',
      pattern: times.verify,
      tz,
      what: 'compare every stored file with its checksum',
    },
    {
      id: 'backup',
      queue: 'live',
      job: 'backup',
      pattern: times.backup,
      tz,
      what: 'back up lake, models and keys to BACKUP_TO',
    },
    {
      id: 'drill',
      queue: 'warehouse',
      job: 'restore-drill',
      pattern: times.drill,
      tz,
      what: 'restore the newest backup into a temporary folder, and compare its answers with those of the published store',
    },
  ];
}

const OPTIONS: Record<QueueName, JobsOptions> = {
  extract: MONTH_JOB_OPTIONS,
  warehouse: JOB_OPTIONS,
  live: LIVE_JOB_OPTIONS,
};

export const TIME_ZONE = 'UTC';

/**
 * Registers each schedule once, however many workers start; removes schedules that are off or paused. An unchanged
 * schedule keeps the time of its next run. If no worker was running at that time, the run starts with the next worker.
 * Returns the ids of the schedules that were missing or different.
 */
export async function registerSchedules(
  queues: Pick<Queues, 'queue'>,
  schedules: readonly (Schedule & { isPaused?: boolean })[],
): Promise<string[]> {
  const registered: string[] = [];
  for (const { id, queue: name, job, pattern, tz = TIME_ZONE, isPaused = false } of schedules) {
    const queue = queues.queue(name);
    if (pattern === OFF || isPaused) {
      await queue.removeJobScheduler(id);
      continue;
    }
    const scheduler = await queue.getJobScheduler(id);
    const isSame = scheduler?.name === job && scheduler.pattern === pattern && scheduler.tz === tz;
    // Each run adds the job of the next run. If the job of the next run is missing, the schedule must be registered
    // again.
    if (isSame && (await queue.getJob(`repeat:${id}:${scheduler.next}`))) continue;
    const template = { name: job, data: {}, opts: OPTIONS[name] };
    await queue.upsertJobScheduler(id, { pattern, tz }, template);
    registered.push(id);
  }
  return registered;
}
