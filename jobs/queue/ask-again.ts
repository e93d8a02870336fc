import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { WeatherMonthRequest } from '../../pipelines/weather/extract-month.ts';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import { monthJobs, type BackfillKind } from './backfill-jobs.ts';
import type { AskForMonths } from './handlers/look-for-months.ts';
import { findJob, type ExtractFileData, type JobRef, type Queues } from './queues.ts';
import { requestFile } from './requests.ts';

/** Of the jobs of a month, the back-fill that asks for them. */
const KINDS: Record<string, BackfillKind> = {
  'extract-month': 'flights',
  'load-month': 'flights',
  'extract-weather-month': 'weather',
  'load-weather-month': 'weather',
};

/**
 * Asks again for what a failed job was to do. Of a pair of jobs both are asked for, whichever failed: an extract alone
 * would bring a month into the lake that nothing loads.
 */
export async function askAgain(queues: Queues, ref: JobRef, ask: AskForMonths): Promise<JobRef[]> {
  const job = await findJob(queues, ref);
  if (!job) throw new UnrecoverableError(`${ref.id} is not in the queue any more`);
  if (!(await job.isFailed())) throw new UnrecoverableError(`${ref.id} has not failed`);
  const kind = KINDS[job.name];
  if (kind !== undefined) {
    const again = await monthAgain(queues, job, kind, ask);
    if (again) return again;
  }
  if (job.name === 'extract-file') return fileAgain(queues, job.data as ExtractFileData);
  if (job.name === 'load-months') {
    const id = ref.id.replace(/^load-/, 'extract-');
    const extract = await findJob(queues, { queue: 'extract', id });
    if (extract) return fileAgain(queues, extract.data as ExtractFileData);
  }
  await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  return [ref];
}

/** Undefined when it is not known any more where the month was to come from. */
async function monthAgain(
  queues: Queues,
  job: Job,
  kind: BackfillKind,
  ask: AskForMonths,
): Promise<JobRef[] | undefined> {
  const { month } = job.data as { month: string };
  const jobs = monthJobs(month, kind);
  const data = (await findJob(queues, jobs.extract))?.data as
    | ((MonthRequest | WeatherMonthRequest) & { force?: boolean })
    | undefined;
  if (!data) return undefined;
  const request = { months: [month], source: data.source, force: data.force };
  await ask(kind === 'weather' ? { kind, ...request } : request);
  return [jobs.extract, jobs.load];
}

async function fileAgain(queues: Queues, data: ExtractFileData): Promise<JobRef[]> {
  return Object.values(await requestFile(queues, data));
}
