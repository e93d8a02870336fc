import type { BuildReport, LoadReport, RebuildReport } from '../warehouse/build/reports.ts';
import type { Progress } from '../warehouse/progress.ts';
import type { WeatherMonthRequest } from './weather/extract-month.ts';
import type { WeatherMonthRef } from '../warehouse/lake/weather-lake.ts';
import type { MonthRef } from '../warehouse/lake/versions.ts';
import type { MonthsFound } from './flights/find-months.ts';
import type { RestoreRequest, UndoReport } from './flights/undo.ts';
import type { TrainReport, TrainRequest } from './model/train-step.ts';
import type { NasReport } from './nas/refresh.ts';
import type { NewsSteps } from './news/types.ts';
import type { WeatherReport } from './weather/refresh.ts';
import type { ExtractReport, ExtractRequest, MonthRequest, MonthResult } from './flights/types.ts';

export type PublishReport = {
  version: string;
  months: string[];
  bytes: number;
  /** Version of the model that was published with it; absent when there is none. */
  model?: string;
  /** Why a model that is there was not published. */
  modelRefused?: string;
};

/** The steps of the pipeline, each safe to run twice; what a job calls. */
export type PipelineSteps = {
  /** Turns one file of flights, or of the delay-cause table, into immutable lake months. */
  extractFile: (request: ExtractRequest, progress: Progress) => Promise<ExtractReport>;
  /** Gets one month from its source and makes it a lake month, unless it is one already. */
  extractMonth: (request: MonthRequest, progress: Progress) => Promise<MonthResult>;
  /** Says which months that the lake lacks are out by now. */
  findMonths: (progress: Progress) => Promise<MonthsFound>;
  /** Loads lake months into the warehouse, each replaced whole. */
  loadMonths: (months: string[], progress: Progress) => Promise<LoadReport>;
  /** Loads lake months of the delay-cause table into the warehouse, each replaced whole, all at once. */
  loadDelayCauses: (months: string[], progress: Progress) => Promise<LoadReport>;
  /** Makes a version of a month the one that counts, in lake and warehouse. */
  restoreMonth: (request: RestoreRequest, progress: Progress) => Promise<UndoReport>;
  /** Takes a month out of lake and warehouse. */
  dropMonth: (ref: MonthRef, progress: Progress) => Promise<UndoReport>;
  /** Rebuilds the marts and runs the checks. */
  buildFeatures: (progress: Progress) => Promise<BuildReport>;
  /** Whether the lake knows more than the released model, and none was trained on it yet. */
  isTrainingDue: () => Promise<boolean>;
  /** Trains a model on the lake, in a process of its own, and releases it if it earns it. */
  train: (request: TrainRequest, progress: Progress) => Promise<TrainReport>;
  /** Writes a score store and makes it current; throws when an error check failed. */
  publishStore: (progress: Progress) => Promise<PublishReport>;
  /** Makes the warehouse anew from the lake, and takes the place of the old one at the end. */
  rebuildWarehouse: (progress: Progress) => Promise<RebuildReport>;
  /** Gets one month of weather from its source into the lake, unless it is there already. */
  extractWeatherMonth: (request: WeatherMonthRequest, progress: Progress) => Promise<MonthResult>;
  /** Loads a month of weather into the warehouse, replaced whole; returns its airport-days. */
  loadWeatherMonth: (ref: WeatherMonthRef) => Promise<number>;
  /** Fetches the forecasts of all airports with flights; what does not come stays as it was. */
  refreshWeather: (progress: Progress) => Promise<WeatherReport>;
  /** Fetches the airport status of the FAA, where it is configured. */
  refreshNas: () => Promise<NasReport>;
} & NewsSteps;
