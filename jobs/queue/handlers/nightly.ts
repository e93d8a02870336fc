import type { Logger } from 'pino';
import { failingChecks } from '../../../pipelines/features/build.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { PipelineSteps, PublishReport } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

export type NightlyReport = {
  build: BuildReport;
  /** Absent when there was nothing new to learn from. */
  training?: TrainReport | { problem: string };
  publish: PublishReport;
};

/**
 * Builds the features, trains a model when the lake has months that none has seen, and publishes both. Failing checks
 * end the night before it learns from what they found; what was published stays.
 */
export async function nightly(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'buildFeatures' | 'isTrainingDue' | 'train' | 'publishStore'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<NightlyReport> {
  return runStep(job, async (progress) => {
    const build = await steps.buildFeatures(progress);
    const training =
      failingChecks(build.checks).length > 0 ? undefined : await trained(steps, progress, log);
    const publish = await steps.publishStore(progress);
    return { build, ...(training && { training }), publish };
  });
}

/** A training that fails costs the night nothing but itself: the model before goes on, and the next night tries again. */
async function trained(
  steps: Pick<PipelineSteps, 'isTrainingDue' | 'train'>,
  progress: Progress,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<NightlyReport['training']> {
  try {
    if (!(await steps.isTrainingDue())) return undefined;
    const report = await steps.train({}, progress);
    log.info({ why: report.why, model: report.version }, 'training over');
    return report;
  } catch (error) {
    log.warn({ err: error }, 'no model trained: the night goes on with the one before');
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
