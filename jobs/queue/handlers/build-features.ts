import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Rebuilds the marts and runs the checks. */
export async function buildFeatures(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'buildFeatures'>,
): Promise<BuildReport> {
  return runStep(job, (progress) => steps.buildFeatures(progress));
}
