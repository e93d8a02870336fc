import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { RebuildReport } from '../../../warehouse/build/reports.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Makes the warehouse anew from the lake. */
export async function rebuild(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'rebuildWarehouse'>,
): Promise<RebuildReport> {
  return runStep(job, (progress) => steps.rebuildWarehouse(progress));
}
