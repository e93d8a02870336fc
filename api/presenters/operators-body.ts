import { round } from '../../warehouse/ground/numbers.ts';
import { asOperator, brandOf, operatorsOf } from '../../models/brands.ts';
import type { DataTier, FlightQuery } from '../../models/types.ts';
import type { BrandOperator } from '../../warehouse/store/brand-record.ts';
import type { FlightStats, ScoreStore } from '../../warehouse/store/types.ts';
import { assessNow, type AssessNowDeps } from '../scoring/assess.ts';
import { airlineName } from './names.ts';
import type { OperatorsBody } from '../schemas/operators.ts';
import { ratio } from './score-body.ts';

/**
 * Builds the field `operators` of an answer: the airlines that operate an airline's flights on a route. The operator
 * with the most flights comes first. Each operator has its own record and score, and a share of the airline's flights.
 * The airline's score uses the same shares. If an airline has no partners, it is the only operator. The field is empty
 * without a record.
 */
export function operatorsBodyOf(
  query: FlightQuery,
  tier: DataTier,
  store: ScoreStore,
  deps: AssessNowDeps,
): OperatorsBody {
  const operated = asOperator(query);
  return operatorsOrItself(query, tier, store)
    .toSorted((a, b) => b.share - a.share || (a.carrier < b.carrier ? -1 : 1))
    .map(({ carrier, share, inferredShare, confidence, stats }) => {
      const { score, label } = assessNow({ ...operated, carrier }, store, deps);
      return {
        airline: carrier,
        airline_name: airlineName(carrier, store),
        share: round(share, 4),
        n_flights: stats.flightCount,
        delay_rate_pct: round(100 * ratio(stats.delayedCount, stats.completedCount), 2),
        cancel_rate_pct: round(100 * ratio(stats.cancelledCount, stats.flightCount), 2),
        score,
        label,
        source: inferredShare > 0 ? ('inferred' as const) : ('reported' as const),
        inferred_share: round(inferredShare, 4),
        inferred_confidence: confidence === undefined ? null : round(confidence, 4),
      };
    });
}

/**
 * Returns how much of a brand's record is inferred, and the confidence. Returns null if the airline is an operator, or
 * if the record names the brand of every flight.
 */
export function inferredBrandOf(query: FlightQuery, store: ScoreStore) {
  const { inferredShare = 0, confidence } = brandOf(query, store) ?? {};
  if (confidence === undefined) return null;
  return { inferred_share: round(inferredShare, 4), confidence: round(confidence, 4) };
}

function operatorsOrItself(
  query: FlightQuery,
  tier: DataTier,
  store: ScoreStore,
): readonly Omit<BrandOperator<FlightStats>, 'hours' | 'months'>[] {
  const operators = operatorsOf(query, store);
  if (operators.length > 0) return operators;
  const { origin, dest, carrier } = query;
  const stats = tier === 'exact' ? store.routeCarrier(origin, dest, carrier) : undefined;
  return stats ? [{ carrier, share: 1, inferredShare: 0, stats }] : [];
}
