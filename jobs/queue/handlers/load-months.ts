import type { Job } from 'bullmq';
import { isDelayCauses } from '../../../pipelines/flights/source-tree.ts';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { LoadReport } from '../../../warehouse/build/reports.ts';
import type { LoadMonthsData } from '../queues.ts';
import { runStep, type HandlerJob } from './run-step.ts';

/**
 * Loads the months of flights or of the delay-cause table that the preceding extract job wrote into the lake. Refused
 * and dropped months are not loaded.
 */
export async function loadMonths(
  job: HandlerJob<LoadMonthsData> & Pick<Job, 'getChildrenValues'>,
  steps: Pick<PipelineSteps, 'loadMonths' | 'loadDelayCauses'>,
): Promise<LoadReport> {
  const [report] = Object.values(await job.getChildrenValues<ExtractReport>());
  if (report === undefined) throw new Error('the extract job left no result');
  const months = report.months
    .filter(({ outcome }) => outcome === 'written' || outcome === 'unchanged')
    .map((month) => month.month)
    .toSorted();
  return runStep(job, (progress) =>
    isDelayCauses(report.source)
      ? steps.loadDelayCauses(months, progress)
      : steps.loadMonths(months, progress, report.source.provider),
  );
}
