import type { BuildReport, PipelineSteps, PublishReport } from '../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

export type NightlyReport = { build: BuildReport; publish: PublishReport };

/** Builds the features and publishes them; failing checks end it in between, and what was published stays. */
export async function nightly(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'buildFeatures' | 'publishStore'>,
): Promise<NightlyReport> {
  return runStep(job, async (progress) => ({
    build: await steps.buildFeatures(progress),
    publish: await steps.publishStore(progress),
  }));
}
