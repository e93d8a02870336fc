import type { PipelineSteps, PublishReport } from '../../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Writes a score store and makes it the current one. */
export async function publish(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'publishStore'>,
): Promise<PublishReport> {
  return runStep(job, (progress) => steps.publishStore(progress));
}
