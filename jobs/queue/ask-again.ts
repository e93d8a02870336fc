import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { WeatherMonthRequest } from '../../pipelines/weather/extract-month.ts';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import type { AskForMonths } from './handlers/look-for-months.ts';
import { extractOf, loadOf, type BackfillKind, type LoadMonthData } from './month-jobs.ts';
import { findJob, type ExtractFileData, type JobRef, type Queues } from './queues.ts';
import { requestFile } from './requests.ts';

/** The kind of back-fill that each job of a month belongs to. */
const KINDS: Record<string, BackfillKind> = {
  'extract-month': 'flights',
  'load-month': 'flights',
  'extract-weather-month': 'weather',
  'load-weather-month': 'weather',
};

/**
 * Requests again what a failed job was to do, follow-up included. A pair of jobs is requested as a whole, whichever failed: an
 * extract alone would bring a month into the lake that nothing loads.
 */
export async function askAgain(queues: Queues, ref: JobRef, ask: AskForMonths): Promise<JobRef[]> {
  const job = await findJob(queues, ref);
  if (!job) throw new UnrecoverableError(`${ref.id} is not in the queue any more`);
  if (!(await job.isFailed())) throw new UnrecoverableError(`${ref.id} has not failed`);
  // Those of the pair that the queue still has.
  const [extract, load] =
    ref.queue === 'extract'
      ? [job, await findJob(queues, loadOf(ref))]
      : [await findJob(queues, extractOf(ref)), job];
  const kind = KINDS[job.name];
  const isFile = job.name === 'extract-file' || job.name === 'load-months';
  // Without its extract it is not known any more where a month or a file comes from.
  if (extract && kind !== undefined) return monthAgain({ kind, extract, load }, ask);
  if (extract && isFile) {
    return Object.values(await requestFile(queues, extract.data as ExtractFileData));
  }
  await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  return [ref];
}

async function monthAgain(
  { kind, extract, load }: { kind: BackfillKind; extract: Job; load: Job | undefined },
  ask: AskForMonths,
): Promise<JobRef[]> {
  const { month, source, force } = extract.data as MonthRequest & WeatherMonthRequest;
  const { andThen } = (load?.data ?? {}) as Partial<LoadMonthData>;
  const { months } = await ask({
    ...(kind === 'weather' && { kind }),
    ...{ months: [month], source, force },
    ...(andThen && { andThen }),
  });
  return months.flatMap((jobs) => [jobs.extract, jobs.load]);
}
