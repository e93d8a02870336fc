import type { Job } from 'bullmq';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { LoadReport, PipelineSteps } from '../../../pipelines/types.ts';
import type { LoadMonthsData } from '../queues.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Loads the months its extract job reported as in the lake; a refused month stays out. */
export async function loadMonths(
  job: HandlerJob<LoadMonthsData> & Pick<Job, 'getChildrenValues'>,
  steps: Pick<PipelineSteps, 'loadMonths'>,
): Promise<LoadReport> {
  const reports = Object.values(await job.getChildrenValues<ExtractReport>());
  const months = reports
    .flatMap((report) => report.months)
    .filter((month) => month.outcome !== 'refused')
    .map((month) => month.month)
    .toSorted();
  return runStep(job, (progress) => steps.loadMonths(months, progress));
}
