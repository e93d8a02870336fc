import type { NewsReport, NewsSteps } from '../../../pipelines/news/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Fetches the general news feeds; those that fail are in the report. */
export async function refreshNews(
  job: HandlerJob<unknown>,
  steps: Pick<NewsSteps, 'refreshNews'>,
): Promise<NewsReport> {
  return runStep(job, (progress) => steps.refreshNews(progress));
}
