import type { Job } from 'bullmq';
import type { MonthResult } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import {
  weatherSourceName,
  type WeatherMonthRequest,
} from '../../../pipelines/weather/extract-month.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { runStep, type HandlerJob } from './run-step.ts';

type LoadJob<Data> = HandlerJob<Data> & Pick<Job, 'getChildrenValues'>;

/**
 * Loads the month of flights that the preceding extract job wrote into the lake. Returns the result of the extract job.
 */
export async function loadMonth(
  job: LoadJob<unknown>,
  steps: Pick<PipelineSteps, 'loadMonths'>,
): Promise<MonthResult> {
  return loadExtracted(job, ({ month }, progress) => steps.loadMonths([month], progress));
}

/**
 * Loads the month of weather that the preceding extract job wrote into the lake. Returns the result of the extract job.
 */
export async function loadWeatherMonth(
  job: LoadJob<Pick<WeatherMonthRequest, 'month' | 'source'>>,
  steps: Pick<PipelineSteps, 'loadWeatherMonth'>,
): Promise<MonthResult> {
  const { month, source } = job.data;
  return loadExtracted(job, () =>
    steps.loadWeatherMonth({ month, source: weatherSourceName(source) }),
  );
}

/** Loads unchanged months too: the run that extracted the month may have been killed before its load. */
async function loadExtracted(
  job: LoadJob<unknown>,
  load: (extracted: MonthResult, progress: Progress) => Promise<unknown>,
): Promise<MonthResult> {
  const [extracted] = Object.values(await job.getChildrenValues<MonthResult>());
  if (extracted === undefined) throw new Error('the extract job left no result');
  if (extracted.outcome !== 'absent') {
    await runStep(job, (progress) => load(extracted, progress));
  }
  return extracted;
}
