import type { MonthsFound } from '../../../pipelines/flights/find-months.ts';
import type { MonthRequest } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { WeatherMonthRequest } from '../../../pipelines/weather/extract-month.ts';
import type { BackfillJobs } from '../backfill-jobs.ts';
import type { BackfillRequest, MonthJobs } from '../month-jobs.ts';
import { runStep, type HandlerJob } from './run-step.ts';

/** Requests a backfill of the months. */
export type RequestMonths = (request: BackfillRequest) => Promise<BackfillJobs>;

/** The months that a search found. `jobs` are the jobs that extract and load the found months of flights. */
export type MonthSearchReport = MonthsFound & { jobs: MonthJobs[] };

/**
 * Searches for new months and requests them. When all requested months are fetched and loaded, a nightly run builds and
 * publishes. If the jobs of found months are already under way, follows these jobs.
 */
export async function searchMonths(
  job: HandlerJob<unknown>,
  { findMonths }: Pick<PipelineSteps, 'findMonths'>,
  requestMonths: RequestMonths,
  sources: { flights: MonthRequest['source']; weather: WeatherMonthRequest['source'] },
): Promise<MonthSearchReport> {
  return runStep(job, async (progress) => {
    const newMonths = await findMonths(progress);
    const { out, weather } = newMonths;
    const source = sources.flights;
    const flights =
      out.length > 0
        ? await requestMonths({ months: out, source, force: false, andThen: 'nightly' })
        : undefined;
    if (weather.length > 0) {
      await requestMonths({
        kind: 'weather',
        months: weather,
        source: sources.weather,
        force: false,
      });
    }
    return { ...newMonths, jobs: flights?.months ?? [] };
  });
}
