import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { WeatherMonthRequest } from '../../pipelines/weather/extract-month.ts';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import type { RequestMonths } from './handlers/search-months.ts';
import { extractJobOf, loadJobOf, type BackfillKind, type LoadMonthData } from './month-jobs.ts';
import { findJob, type ExtractFileData, type JobRef, type Queues } from './queues.ts';
import { requestFile } from './requests.ts';

/** The kind of backfill to which each job name belongs. */
const KINDS: Record<string, BackfillKind> = {
  'extract-month': 'flights',
  'load-month': 'flights',
  'extract-weather-month': 'weather',
  'load-weather-month': 'weather',
};

/**
 * Requests the work of a failed job again, including the follow-up. If an extract or a load failed, requests the
 * extract together with its load. Otherwise the extract would write a month into the lake, and no job would load this
 * month.
 */
export async function retryJob(
  queues: Queues,
  ref: JobRef,
  requestMonths: RequestMonths,
): Promise<JobRef[]> {
  const job = await findJob(queues, ref);
  if (!job) throw new UnrecoverableError(`${ref.id} is no longer in the queue`);
  if (!(await job.isFailed())) throw new UnrecoverableError(`${ref.id} has not failed`);
  // The extract job or the load job may have been removed from the queue.
  const [extract, load] =
    ref.queue === 'extract'
      ? [job, await findJob(queues, loadJobOf(ref))]
      : [await findJob(queues, extractJobOf(ref)), job];
  const kind = KINDS[job.name];
  const isFile = job.name === 'extract-file' || job.name === 'load-months';
  // The source of a month or file is only in the data of the extract job.
  if (extract && kind !== undefined) return retryMonth({ kind, extract, load }, requestMonths);
  if (extract && isFile) {
    return Object.values(await requestFile(queues, extract.data as ExtractFileData));
  }
  await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  return [ref];
}

async function retryMonth(
  { kind, extract, load }: { kind: BackfillKind; extract: Job; load: Job | undefined },
  requestMonths: RequestMonths,
): Promise<JobRef[]> {
  const { month, source, force } = extract.data as MonthRequest & WeatherMonthRequest;
  const { andThen } = (load?.data ?? {}) as Partial<LoadMonthData>;
  const { months } = await requestMonths({
    ...(kind === 'weather' && { kind }),
    ...{ months: [month], source, force },
    ...(andThen && { andThen }),
  });
  return months.flatMap((jobs) => [jobs.extract, jobs.load]);
}
