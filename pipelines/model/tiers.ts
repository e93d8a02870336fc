import type { DataTier } from '../../models/types.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/** Shares of the tiers of answers among the flights of an airline, including cancelled flights. */
export type TierRow = { airline: string; n: number } & Record<DataTier, number>;

/** Returns one row for all airlines, then one for each airline. */
export function tiersOf(scored: ScoredOutcome[]): TierRow[] {
  const airlines = [...Map.groupBy(scored, ({ outcome }) => outcome.carrier)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [['all', scored] as const, ...airlines].map(([airline, rows]) => tierRow(airline, rows));
}

function tierRow(airline: string, rows: ScoredOutcome[]): TierRow {
  const countFlights = (group: ScoredOutcome[]) =>
    group.reduce((n, { outcome }) => n + outcome.completed_count + outcome.cancelled_count, 0);
  const n = countFlights(rows);
  const share = (tier: DataTier) =>
    n === 0 ? 0 : countFlights(rows.filter((row) => row.tier === tier)) / n;
  return {
    airline,
    n,
    exact: share('exact'),
    route_any_airline: share('route_any_airline'),
    no_data: share('no_data'),
  };
}
