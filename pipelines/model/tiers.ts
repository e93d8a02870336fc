import type { DataTier } from '../../models/types.ts';
import type { Scored } from './score-outcomes.ts';

/** Of the flights asked for, cancelled ones included, what share was answered from which tier. */
export type TierRow = { airline: string; n: number } & Record<DataTier, number>;

/** A row of all airlines, and one for each. */
export function tiersOf(scored: Scored[]): TierRow[] {
  const airlines = [...Map.groupBy(scored, ({ outcome }) => outcome.carrier)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [['all', scored] as const, ...airlines].map(([airline, rows]) => tierRow(airline, rows));
}

function tierRow(airline: string, rows: Scored[]): TierRow {
  const of = (some: Scored[]) =>
    some.reduce((n, { outcome }) => n + outcome.completed_count + outcome.cancelled_count, 0);
  const n = of(rows);
  const share = (tier: DataTier) => (n === 0 ? 0 : of(rows.filter((row) => row.tier === tier)) / n);
  return {
    airline,
    n,
    exact: share('exact'),
    route_any_airline: share('route_any_airline'),
    no_data: share('no_data'),
  };
}
