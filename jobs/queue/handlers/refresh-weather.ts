import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { WeatherReport } from '../../../pipelines/weather/refresh.ts';
import { runStep } from './run-step.ts';
import type { HandlerJob } from './run-step.ts';

/** Brings the forecast of every airport with flights to Redis. */
export async function refreshWeather(
  job: HandlerJob<unknown>,
  steps: Pick<PipelineSteps, 'refreshWeather'>,
): Promise<WeatherReport> {
  return runStep(job, (progress) => steps.refreshWeather(progress));
}
