import type { NasReport } from '../../../pipelines/nas/refresh.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Fetches the airport status of the FAA. */
export async function refreshNas(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'refreshNas'>,
): Promise<NasReport> {
  return runStep(job, () => steps.refreshNas());
}
