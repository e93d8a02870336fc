import type { Logger } from 'pino';
import { failingChecks } from '../../../pipelines/features/build.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { PipelineSteps, PublishReport } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { runStep, type HandlerJob } from './run-step.ts';

export type NightlyReport = {
  build: BuildReport;
  /** Absent if there were no new months to train on, or if checks failed. */
  training?: TrainReport | { problem: string };
  publish: PublishReport;
};

/**
 * Builds the features, trains a model if the lake has unseen months, and publishes the features and the model. If
 * checks fail, the run ends before the training, and the published store stays.
 */
export async function nightly(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'buildFeatures' | 'isTrainingDue' | 'train' | 'publishStore'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<NightlyReport> {
  return runStep(job, async (progress) => {
    const build = await steps.buildFeatures(progress);
    const training =
      failingChecks(build.checks).length > 0 ? undefined : await trainIfDue(steps, progress, log);
    const publish = await steps.publishStore(progress);
    return { build, ...(training && { training }), publish };
  });
}

/**
 * Trains if a training is due. If the training fails, the nightly run goes on with the former model and the next
 * nightly run retries.
 */
async function trainIfDue(
  steps: Pick<PipelineSteps, 'isTrainingDue' | 'train'>,
  progress: Progress,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<NightlyReport['training']> {
  try {
    if (!(await steps.isTrainingDue())) return undefined;
    const report = await steps.train({}, progress);
    log.info({ why: report.why, model: report.version }, 'training finished');
    return report;
  } catch (error) {
    log.warn({ err: error }, 'training failed: the nightly run goes on with the former model');
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
