import { firstDay, monthOf } from '../../../warehouse/ground/dates.ts';
import type { CarrierStats, RecordMonths, ScoreStore } from '../../../warehouse/store/types.ts';

/** Who flies in one season alone has flights in each year. */
const MONTHS_AWAY = 12;

export type RouteAirline = CarrierStats & {
  /** The months of its record on the route; null where they are not known. */
  record: RecordMonths | null;
  /** Whether it has flights in the newest twelve months of the route: one without has probably left. */
  isCurrent: boolean;
};

/** The airlines with history on a route, in code order. A route's own newest month counts, for months of the history may be of some airports alone. */
export function routeAirlines(origin: string, dest: string, store: ScoreStore): RouteAirline[] {
  const all = store.carriersOnRoute(origin, dest).map((stats) => ({
    ...stats,
    record: store.recordMonths(origin, dest, stats.carrier) ?? null,
  }));
  const newest = all.flatMap(({ record }) => record?.last ?? []).toSorted();
  const since = monthOf(firstDay(newest.at(-1) ?? '1970-01', -MONTHS_AWAY));
  return all.map((one) => ({ ...one, isCurrent: one.record !== null && one.record.last > since }));
}
