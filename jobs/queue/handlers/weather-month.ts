import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import {
  weatherSourceName,
  type WeatherMonthRequest,
} from '../../../pipelines/weather/extract-month.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Gets the month of weather of the job from its source into the lake. */
export async function extractWeatherMonth(
  job: HandlerJob<WeatherMonthRequest>,
  steps: Pick<PipelineSteps, 'extractWeatherMonth'>,
): Promise<MonthResult> {
  return runStep(job, (progress) => steps.extractWeatherMonth(job.data, progress));
}

/**
 * Loads the month of weather its extract job brought into the lake and gives that job's result; an unchanged one too, for
 * the run that extracted it may have been killed before its load.
 */
export async function loadWeatherMonth(
  job: HandlerJob<Pick<WeatherMonthRequest, 'month' | 'source'>> & Pick<Job, 'getChildrenValues'>,
  steps: Pick<PipelineSteps, 'loadWeatherMonth'>,
): Promise<MonthResult> {
  const [result] = Object.values(await job.getChildrenValues<MonthResult>());
  if (result === undefined) throw new Error('the extract job left no result');
  if (result.outcome !== 'absent') {
    const { month, source } = job.data;
    await runStep(job, () => steps.loadWeatherMonth({ month, source: weatherSourceName(source) }));
  }
  return result;
}
