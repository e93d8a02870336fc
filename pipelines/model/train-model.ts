import { sum } from '../../warehouse/ground/numbers.ts';
import { fitModel, fitPlain } from '../../models/train/fit.ts';
import { buildModelFile } from '../../models/train/model-file.ts';
import { toTrainingRows } from '../../models/train/rows.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Xgboost } from '../../models/train/xgboost.ts';
import type { ModelMetadata, OutlookShares } from '../../models/onnx/metadata.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';

/** The history is too short to train on. */
export class TooLittleHistoryError extends Error {
  readonly isFinal = true;
  override readonly name = 'TooLittleHistoryError';
}

export type TrainSettings = {
  seed: number;
  codeVersion: string;
  /** Figures on months that the model was not trained on; stored in the file. */
  metrics: ModelMetadata['metrics'];
  /** Train XGBoost with default settings instead, for comparison. */
  plain?: boolean;
};

/** Minimum number of delayed flights, and minimum number of other flights, for a training. */
const MIN_FLIGHTS = 100;

/**
 * Trains a model and returns its file. The same data, seed, code and figures give the same bytes. Blocks one core for
 * seconds, so call it in a separate process. Throws `TooLittleHistoryError`.
 */
export function trainModel(
  data: TrainingData,
  { seed, codeVersion, metrics, plain }: TrainSettings,
  xgboost: Xgboost,
  progress: TreeProgress,
): Uint8Array {
  const rows = toTrainingRows(data.columns);
  const [flights, delayed] = [sum(rows.served.flights), sum(rows.served.delayed)];
  if (Math.min(delayed, flights - delayed) < MIN_FLIGHTS) {
    throw new TooLittleHistoryError(
      `${delayed} of ${flights} flights were delayed; training needs at least ${MIN_FLIGHTS} delayed flights and ${MIN_FLIGHTS} others`,
    );
  }
  const { calendarDays } = data;
  const fit = plain
    ? fitPlain(xgboost, rows, seed)
    : fitModel(xgboost, rows, { seed, calendarDays }, progress);
  return buildModelFile(fit, {
    trainedOn: {
      months: data.months,
      rows: rows.served.count,
      dataSha256: data.dataSha256,
      coverage: data.coverage,
    },
    seed,
    codeVersion,
    metrics,
    outlook: outlookShares(data.outlook),
  });
}

/**
 * Converts the number of flights in each delay class to a share of the late flights, or of the flights that are not
 * late.
 */
export function outlookShares(counts: TrainingData['outlook']): OutlookShares {
  const notLate = counts.under15 + counts.from15to30;
  const late = counts.from30to60 + counts.from60to120 + counts.over120;
  return {
    notLate: { under15: counts.under15 / notLate, from15to30: counts.from15to30 / notLate },
    late: {
      from30to60: counts.from30to60 / late,
      from60to120: counts.from60to120 / late,
      over120: counts.over120 / late,
    },
  };
}
