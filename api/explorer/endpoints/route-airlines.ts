import { firstDay, monthOf } from '../../../warehouse/ground/dates.ts';
import type { CarrierStats, RecordMonths, ScoreStore } from '../../../warehouse/store/types.ts';

/** An airline without flights for this long has probably left. Seasonal airlines fly at least once a year. */
const ABSENCE_MONTHS = 12;

export type RouteAirline = CarrierStats & {
  /** First and last month of the airline's record on the route; null if unknown. */
  record: RecordMonths | null;
  /** Whether the airline has flights in the newest twelve months of the route's record. */
  isCurrent: boolean;
};

/**
 * Lists the airlines with flights on record on a route, in code order. `isCurrent` counts the twelve months back from
 * the route's own newest month, because a month of the history may cover only some airports.
 */
export function routeAirlines(origin: string, dest: string, store: ScoreStore): RouteAirline[] {
  const all = store.carriersOnRoute(origin, dest).map((stats) => ({
    ...stats,
    record: store.recordMonths(origin, dest, stats.carrier) ?? null,
  }));
  const newest = all.flatMap(({ record }) => record?.last ?? []).toSorted();
  const oldestMonth = monthOf(firstDay(newest.at(-1) ?? '1970-01', -ABSENCE_MONTHS));
  return all.map((one) => ({
    ...one,
    isCurrent: one.record !== null && one.record.last > oldestMonth,
  }));
}
