import type { TrainReport, TrainRequest } from '../../../pipelines/model/training.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Trains a model, and releases it if it earns it. */
export async function train(
  job: HandlerJob<TrainRequest>,
  steps: Pick<PipelineSteps, 'train'>,
): Promise<TrainReport> {
  return runStep(job, (progress) => steps.train(job.data, progress));
}
