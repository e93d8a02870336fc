import type { Logger } from 'pino';
import { failingChecks } from '../../../pipelines/features/build.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { AccuracyReport, PipelineSteps, PublishReport } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { runStep, type HandlerJob } from './run-step.ts';

export type NightlyReport = {
  build: BuildReport;
  /** Absent if there were no new months to train on, or if checks failed. */
  training?: TrainReport | { problem: string };
  /** Absent if no record of another provider was measured. */
  accuracy?: AccuracyReport;
  publish: PublishReport;
};

/**
 * Builds the features, trains a model if the lake has unseen months, measures changed records of other providers, and
 * publishes the features and the model. If checks fail, the run ends before the training, and the published store stays.
 */
export async function nightly(
  job: HandlerJob<unknown>,
  steps: Pick<
    PipelineSteps,
    'buildFeatures' | 'isTrainingDue' | 'train' | 'measureRecords' | 'publishStore'
  >,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<NightlyReport> {
  return runStep(job, async (progress) => {
    const build = await steps.buildFeatures(progress);
    const isFailing = failingChecks(build.checks).length > 0;
    const training = isFailing ? undefined : await trainIfDue(steps, progress, log);
    const accuracy = isFailing ? undefined : await measureRecords(steps, progress, log);
    const publish = await steps.publishStore(progress);
    return { build, ...(training && { training }), ...(accuracy && { accuracy }), publish };
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

/**
 * Measures the accuracy of records that have changed. If this fails, the nightly run goes on with the former figures.
 * Returns undefined if nothing was measured.
 */
async function measureRecords(
  steps: Pick<PipelineSteps, 'measureRecords'>,
  progress: Progress,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<AccuracyReport | undefined> {
  try {
    const report = await steps.measureRecords(progress);
    if (!report.measured && !report.problems) return undefined;
    log.info(
      report,
      'flight records have changed, so the accuracy of the forecasts was measured again',
    );
    return report;
  } catch (error) {
    log.warn(
      { err: error },
      'flight records have changed, but the accuracy of the forecasts could not be measured; the former figures stay in use',
    );
    return undefined;
  }
}
