import type { RecordAccuracy } from '../models/record-accuracy.ts';
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
import type { ProviderSearch } from './providers/search-releases.ts';
import type { WeatherReport } from './weather/refresh.ts';
import type { ExtractReport, ExtractRequest, MonthRequest, MonthResult } from './flights/types.ts';

export type PublishReport = {
  version: string;
  months: string[];
  bytes: number;
  /** Version of the model in the published store; absent if it has no model. */
  model?: string;
  /** Why the released model was not published. */
  modelRefused?: string;
  /** Other providers whose records are in the store. */
  providers?: string[];
  /** Other providers whose records are not built or failed a check. */
  providersLeftOut?: string[];
};

/** Result of measuring the records of other providers, by provider. A field without any provider is absent. */
export type AccuracyReport = {
  /** State of the newly measured records, and the reason. */
  measured?: Record<string, Pick<RecordAccuracy, 'state' | 'why'>>;
  /** Why records could not be measured. Their former figures stay. */
  problems?: Record<string, string>;
};

/** The steps of the pipeline, which jobs call. Each is safe to run twice. */
export type PipelineSteps = {
  /** Writes one file of flights, or of the delay-cause table, into the lake as immutable months. */
  extractFile: (request: ExtractRequest, progress: Progress) => Promise<ExtractReport>;
  /** Fetches one month from its source and writes it into the lake, unless the lake has this file already. */
  extractMonth: (request: MonthRequest, progress: Progress) => Promise<MonthResult>;
  /** Searches for published months that the lake does not have. */
  findMonths: (progress: Progress) => Promise<MonthsFound>;
  /** Searches for new figures of a provider other than BTS, and downloads their files. */
  searchProvider: (provider: string, progress: Progress) => Promise<ProviderSearch>;
  /**
   * Loads months of the lake into the warehouse; each replaces its former version. The months are of the American
   * record, or of `provider`.
   */
  loadMonths: (months: string[], progress: Progress, provider?: string) => Promise<LoadReport>;
  /** Loads months of the delay-cause table from the lake into the warehouse, in one transaction. */
  loadDelayCauses: (months: string[], progress: Progress) => Promise<LoadReport>;
  /** Makes a former version of a month current, in lake and warehouse. */
  restoreMonth: (request: RestoreRequest, progress: Progress) => Promise<UndoReport>;
  /** Removes a month from lake and warehouse. */
  dropMonth: (ref: MonthRef, progress: Progress) => Promise<UndoReport>;
  /** Rebuilds the marts and runs the checks. */
  buildFeatures: (progress: Progress) => Promise<BuildReport>;
  /** Whether the lake has history that neither the released model nor any other training has used yet. */
  isTrainingDue: () => Promise<boolean>;
  /** Trains a model from the lake in a separate process, and releases it if it is good enough. */
  train: (request: TrainRequest, progress: Progress) => Promise<TrainReport>;
  /**
   * Measures the accuracy of other providers' records, in a separate process. Measures only records with a changed
   * history.
   */
  measureRecords: (progress: Progress) => Promise<AccuracyReport>;
  /** Writes a score store and makes it current; throws if a check with severity `error` failed. */
  publishStore: (progress: Progress) => Promise<PublishReport>;
  /** Builds a new warehouse from the lake, then replaces the old one with it. */
  rebuildWarehouse: (progress: Progress) => Promise<RebuildReport>;
  /** Fetches one month of weather from its source into the lake, unless the lake has it already. */
  extractWeatherMonth: (request: WeatherMonthRequest, progress: Progress) => Promise<MonthResult>;
  /** Loads a month of weather into the warehouse, replacing the month; returns the number of airport-days. */
  loadWeatherMonth: (ref: WeatherMonthRef) => Promise<number>;
  /** Fetches the forecasts of all airports with flights. A forecast that cannot be fetched is unchanged. */
  refreshWeather: (progress: Progress) => Promise<WeatherReport>;
  /** Fetches the airport status of the FAA, if configured. */
  refreshNas: () => Promise<NasReport>;
} & NewsSteps;
