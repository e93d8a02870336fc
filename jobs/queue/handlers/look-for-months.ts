import type { MonthsFound } from '../../../pipelines/flights/find-months.ts';
import type { MonthRequest } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { WeatherMonthRequest } from '../../../pipelines/weather/extract-month.ts';
import type { BackfillJobs } from '../backfill-jobs.ts';
import type { BackfillRequest, MonthJobs } from '../month-jobs.ts';
import { runStep, type HandlerJob } from './run-step.ts';

/** How what came out is asked for; a worker has it. */
export type AskForMonths = (request: BackfillRequest) => Promise<BackfillJobs>;

/** The months a look found, and the jobs of those of flights. */
export type LookReport = MonthsFound & { jobs: MonthJobs[] };

/**
 * Looks for months that came out and asks for them: each is fetched and loaded, and when all are, a night builds and publishes.
 * Looking again while they are under way joins them.
 */
export async function lookForMonths(
  job: HandlerJob<unknown>,
  { findMonths }: Pick<PipelineSteps, 'findMonths'>,
  ask: AskForMonths,
  sources: { flights: MonthRequest['source']; weather: WeatherMonthRequest['source'] },
): Promise<LookReport> {
  return runStep(job, async (progress) => {
    const found = await findMonths(progress);
    const { out, weather } = found;
    const source = sources.flights;
    const flights =
      out.length > 0
        ? await ask({ months: out, source, force: false, andThen: 'nightly' })
        : undefined;
    if (weather.length > 0) {
      await ask({ kind: 'weather', months: weather, source: sources.weather, force: false });
    }
    return { ...found, jobs: flights?.months ?? [] };
  });
}
