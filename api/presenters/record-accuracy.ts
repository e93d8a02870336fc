import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import { round } from '../../warehouse/ground/numbers.ts';
import {
  accuracyOf,
  type AccuracyFigures,
  type AccuracyState,
  type RecordAccuracy,
} from '../../models/record-accuracy.ts';
import type { StoreManifest } from '../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { AccuracyBody, RecordAccuracyBody } from '../schemas/record-accuracy.ts';
import { providerFacts } from './provider-facts.ts';
import { scoreReliabilityOf } from './score-reliability.ts';

const NOT_YET: RecordAccuracy = {
  state: 'unmeasured',
  why: 'the next nightly run measures this record',
};

/** Builds the accuracy figures of a record, and adds the provider's name. Not for the American record. */
export function namedAccuracyOf(store: Pick<ScoreStore, 'manifest'>): RecordAccuracyBody {
  const { title } = providerFacts(store);
  return { provider: store.manifest.provider, title, ...recordAccuracyOf(store) };
}

/** Builds the accuracy figures of a record. Not for the American record. */
export function recordAccuracyOf({ manifest }: Pick<ScoreStore, 'manifest'>): AccuracyBody {
  const { state, why, measured } = lastMeasured(manifest);
  return {
    ...{ state, why },
    measured: measured
      ? {
          trained_on: {
            first_month: measured.trainedOn.first,
            last_month: measured.trainedOn.last,
          },
          tested_on: measured.testedOn,
          measured_share: round(measured.share, 4),
          with_hour: figuresOf(measured.withHour),
          without_hour: figuresOf(measured.withoutHour),
          score_reliability: scoreReliabilityOf(measured.score, measured.testedOn),
        }
      : null,
  };
}

/**
 * Returns the accuracy state of the record that an answer is based on. Returns null for the American record, because
 * its model is tested before each release instead.
 */
export function accuracyStateOf({ manifest }: Pick<ScoreStore, 'manifest'>): AccuracyState | null {
  if (manifest.attribution === undefined) return null;
  return lastMeasured(manifest).state;
}

/** Returns the last measured accuracy of a record. Memoized per manifest, because answers about flights use it. */
const lastMeasured = memoizeFor(
  ({ accuracy }: StoreManifest): RecordAccuracy => accuracyOf(accuracy) ?? NOT_YET,
);

function figuresOf(figures: AccuracyFigures): NonNullable<AccuracyBody['measured']>['with_hour'] {
  const { n, forecast, observed, auc, logLoss, brier, skill, ece, overRates } = figures;
  const { difference, error } = overRates;
  return {
    flights: n,
    forecast: round(forecast, 4),
    actual: round(observed, 4),
    auc: round(auc, 4),
    log_loss: round(logLoss, 5),
    brier: round(brier, 5),
    skill: round(skill, 4),
    calibration_error: round(ece, 4),
    log_loss_over_rates: round(difference, 5),
    standard_error: error === null ? null : round(error, 5),
  };
}
