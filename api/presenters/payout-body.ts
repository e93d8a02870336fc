import { round } from '../../warehouse/ground/round.ts';
import { flightBand, type ScoredFlight } from '../../models/flight-curve.ts';
import { payoutOf, type PayoutTerm } from '../../models/payout.ts';
import type { PayoutBody } from '../schemas/payout.ts';

/** Builds the field `payout` of an answer; null when the answer has no ML part. */
export function payoutBodyOf(terms: PayoutTerm[], flight: ScoredFlight): PayoutBody {
  const band = flightBand(flight);
  if (!band) return null;
  const { expected, standardDeviation, low, high, probabilities } = payoutOf(terms, band);
  return {
    expected: round(expected, 2),
    standard_deviation: round(standardDeviation, 2),
    low: round(low, 2),
    high: round(high, 2),
    terms: terms.map(({ condition, amount }, at) => ({
      condition: String(condition),
      amount,
      probability: round(probabilities[at] as number, 4),
    })),
  };
}
