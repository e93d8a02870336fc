import type { FlowJob } from 'bullmq';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';
import type { Month } from '../../pipelines/flights/months.ts';
import type { WeatherSource } from '../../pipelines/weather/types.ts';
import { jobId } from './job-id.ts';
import type { JobRef } from './queues.ts';
import { MONTH_JOB_OPTIONS } from './retry.ts';

/** What a back-fill brings; absent: flights. */
export type BackfillKind = 'flights' | 'weather';

export type BackfillRequest = {
  kind?: BackfillKind;
  /** Ascending. */
  months: Month[];
  source: MonthSource | WeatherSource;
  force: boolean;
  /** The step that follows once all months have ended. */
  andThen?: FollowUp;
};

export type FollowUp = 'nightly';

/** The two jobs of a month: extract feeds load. */
export type MonthJobs = { month: Month; extract: JobRef; load: JobRef };

/** Data of a load: the follow-up of the back-fill, which a retry of the month asks for again. */
export type LoadMonthData = { month: Month; andThen?: FollowUp };

/** The ids of the jobs of a month: requests share them if kind, month, source and `force` are equal. */
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

/** The extract job whose result a load job waits for. */
export function extractOf(load: JobRef): JobRef {
  return { queue: 'extract', id: load.id.replace(/^load-/, 'extract-') };
}

/** The load job that waits for an extract job. */
export function loadOf(extract: JobRef): JobRef {
  return { queue: 'warehouse', id: extract.id.replace(/^extract-/, 'load-') };
}

/** The jobs of a month as BullMQ adds them. */
export function monthFlow(
  { month, extract, load }: MonthJobs,
  { kind, source, force, andThen }: BackfillRequest,
): FlowJob {
  const isWeather = kind === 'weather';
  const followed: LoadMonthData = { month, ...(andThen && { andThen }) };
  return {
    name: isWeather ? 'load-weather-month' : 'load-month',
    queueName: load.queue,
    data: isWeather ? { ...followed, source } : followed,
    // A month that fails is noted by its parent, which goes on waiting for the others.
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
