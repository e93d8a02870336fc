import type { MonthRequest, MonthResult } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Gets the month of the job from its source into the lake. */
export async function extractMonth(
  job: HandlerJob<MonthRequest>,
  steps: Pick<PipelineSteps, 'extractMonth'>,
): Promise<MonthResult> {
  return runStep(job, (progress) => steps.extractMonth(job.data, progress));
}
