import type { FlowJob } from 'bullmq';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';
import type { Month } from '../../pipelines/flights/months.ts';
import type { WeatherSource } from '../../pipelines/weather/types.ts';
import { jobId } from './job-id.ts';
import type { JobRef } from './queues.ts';
import { MONTH_JOB_OPTIONS } from './retry.ts';

/** The kind of data that a backfill loads. */
export type BackfillKind = 'flights' | 'weather';

export type BackfillRequest = {
  /** If absent, the backfill loads flights. */
  kind?: BackfillKind;
  /** Ascending. */
  months: Month[];
  source: MonthSource | WeatherSource;
  force: boolean;
  /** The step that starts when all months of a backfill have ended. */
  andThen?: FollowUp;
};

export type FollowUp = 'nightly';

/** The extract job and the load job of a month. The load job uses the result of the extract job. */
export type MonthJobs = { month: Month; extract: JobRef; load: JobRef };

/** Data of a load job. With `andThen`, a retry of the month starts the backfill's follow-up again. */
export type LoadMonthData = { month: Month; andThen?: FollowUp };

/** Returns the jobs of a month. Requests share these jobs if kind, month, source and `force` are equal. */
export function monthJobs(
  month: Month,
  { kind = 'flights', source, force }: Omit<BackfillRequest, 'months'>,
): MonthJobs {
  const id = (job: string) => jobId(`${job}-${kind}-${month}`, { source, force });
  return {
    month,
    extract: { queue: 'extract', id: id('extract') },
    load: { queue: 'warehouse', id: id('load') },
  };
}

/** Returns the extract job that belongs to a load job. The load job waits for the result of the extract job. */
export function extractJobOf(load: JobRef): JobRef {
  return { queue: 'extract', id: load.id.replace(/^load-/, 'extract-') };
}

/** Returns the load job that waits for an extract job. */
export function loadJobOf(extract: JobRef): JobRef {
  return { queue: 'warehouse', id: extract.id.replace(/^extract-/, 'load-') };
}

/** Returns the jobs of a month as a BullMQ flow. */
export function monthFlow(
  { month, extract, load }: MonthJobs,
  { kind, source, force, andThen }: BackfillRequest,
): FlowJob {
  const isWeather = kind === 'weather';
  const loadData: LoadMonthData = { month, ...(andThen && { andThen }) };
  return {
    name: isWeather ? 'load-weather-month' : 'load-month',
    queueName: load.queue,
    data: isWeather ? { ...loadData, source } : loadData,
    // The parent counts a failed month and goes on waiting for the other months.
    opts: { ...MONTH_JOB_OPTIONS, jobId: load.id, ignoreDependencyOnFailure: true },
    children: [
      {
        name: isWeather ? 'extract-weather-month' : 'extract-month',
        queueName: extract.queue,
        data: { month, source, force },
        opts: { ...MONTH_JOB_OPTIONS, jobId: extract.id, failParentOnFailure: true },
      },
    ],
  };
}
