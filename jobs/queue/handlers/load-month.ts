import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/**
 * Loads the month its extract job brought into the lake and gives that job's result. An unchanged month is loaded
 * too: the run that extracted it may have been killed before its load.
 */
export async function loadMonth(
  job: HandlerJob<unknown> & Pick<Job, 'getChildrenValues'>,
  steps: Pick<PipelineSteps, 'loadMonths'>,
): Promise<MonthResult> {
  const [result] = Object.values(await job.getChildrenValues<MonthResult>());
  if (result === undefined) throw new Error('the extract job left no result');
  if (result.outcome !== 'absent') {
    await runStep(job, (progress) => steps.loadMonths([result.month], progress));
  }
  return result;
}
