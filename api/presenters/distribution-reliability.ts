import { round } from '../../warehouse/ground/numbers.ts';
import {
  distributionFigures,
  type PairedScore,
  type PayoutRow,
} from '../../models/distribution-figures.ts';
import type { DistributionReliability } from '../schemas/distribution-reliability.ts';

/**
 * Builds the field `distribution_reliability` of `/api/model`. Null if these figures were not measured when the model
 * was trained.
 */
export function distributionReliabilityOf(figures: unknown): DistributionReliability {
  const { data } = distributionFigures.safeParse(figures);
  if (!data) return null;
  const { n, crps, lateClasses, cancelled, reliability, payout } = data;
  return {
    flights: n,
    crps: comparisonOf(crps),
    late_classes_log_loss: comparisonOf(lateClasses),
    cancelled_log_loss: comparisonOf(cancelled),
    over_60: tenthsOf(reliability.over_60),
    over_120: tenthsOf(reliability.over_120),
    over_180: tenthsOf(reliability.over_180),
    cancelled: tenthsOf(reliability.cancelled),
    payout_terms: payout.terms,
    payout_by_airline: payout.airlines.map(({ group, ...row }) => ({
      airline: group,
      ...payoutOf(row),
    })),
    payout_by_month: payout.months.map(({ group, ...row }) => ({ month: group, ...payoutOf(row) })),
  };
}

function comparisonOf({ ours, plain, difference, noise }: PairedScore) {
  return {
    value: round(ours, 5),
    reference: round(plain, 5),
    difference: round(difference, 5),
    standard_error: round(noise, 5),
  };
}

function tenthsOf(bins: { flights: number; forecast: number; observed: number }[]) {
  return bins.map(({ flights, forecast, observed }) => ({
    flights: round(flights, 1),
    forecast: round(forecast, 5),
    actual: round(observed, 5),
  }));
}

function payoutOf({ flights, expected, actual }: Omit<PayoutRow, 'group'>) {
  return { flights, expected: round(expected, 2), actual: round(actual, 2) };
}
