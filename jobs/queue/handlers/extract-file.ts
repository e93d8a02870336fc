import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { ExtractFileData } from '../queues.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Turns the file of the job into lake months. */
export async function extractFile(
  job: HandlerJob<ExtractFileData>,
  steps: Pick<PipelineSteps, 'extractFile'>,
): Promise<ExtractReport> {
  const { sha256: _, ...request } = job.data;
  return runStep(job, (progress) => steps.extractFile(request, progress));
}
