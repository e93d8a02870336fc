import { firstDay, monthOf } from '../warehouse/ground/dates.ts';
import { memoizeFor } from '../warehouse/ground/load-once.ts';
import type { CarrierStats, RecordMonths, ScoreStore } from '../warehouse/store/types.ts';

/** An airline without flights for this long has probably left. Seasonal airlines fly at least once a year. */
const ABSENCE_MONTHS = 12;

export type RouteAirline = CarrierStats & {
  /** First and last month of the airline's record on the route; null if unknown. */
  record: RecordMonths | null;
  /** Whether the airline still exists and has flights in the newest twelve months of the route's record. */
  isCurrent: boolean;
};

/**
 * Lists the airlines that have flights on a route in the history, in code order. `isCurrent` looks at the twelve months
 * up to the newest month of this route, because a month of the history may cover only some airports.
 */
export function routeAirlines(origin: string, dest: string, store: ScoreStore): RouteAirline[] {
  const all = store.carriersOnRoute(origin, dest).map((stats) => ({
    ...stats,
    record: store.recordMonths(origin, dest, stats.carrier) ?? null,
  }));
  const newest = newestOf(all.flatMap(({ record }) => record?.last ?? []));
  return all.map((one) => ({
    ...one,
    isCurrent:
      one.record !== null &&
      !isLongBefore(one.record.last, newest) &&
      endOfAirline(one.carrier, store) === undefined,
  }));
}

/**
 * Returns the last month of an airline that no longer exists. This requires two conditions. First, most of its routes
 * have flights that are at least a year newer than the airline's own newest flights on any route. Second, the newest
 * year of the delay-cause table has no counts of the airline. Returns undefined for other airlines, and for an airline
 * without flights.
 */
export function endOfAirline(carrier: string, store: ScoreStore): string | undefined {
  return endsOf(store).get(carrier);
}

const endsOf = memoizeFor(findEnds);

/** An airline's last month on a route (`last`), and the last month of all airlines on this route (`newest`). */
type FlownRoute = { last: string; newest: string };

function findEnds(store: ScoreStore): Map<string, string> {
  const ends = new Map<string, string>();
  for (const [carrier, routes] of routesByCarrier(store)) {
    const last = newestOf(routes.map((one) => one.last));
    const levels = newestOf(store.recentMonths('carrier', carrier).map(({ month }) => month));
    if (levels !== '' && !isLongBefore(levels, store.manifest.lastLevelMonth ?? '')) continue;
    const continued = routes.filter(({ newest }) => isLongBefore(last, newest));
    if (continued.length > routes.length / 2) ends.set(carrier, last);
  }
  return ends;
}

function routesByCarrier(store: ScoreStore): Map<string, FlownRoute[]> {
  const byCarrier = new Map<string, FlownRoute[]>();
  let [routeKey, onRoute]: [string, FlownRoute[]] = ['', []];
  // Airline-routes are sorted by code, so the airlines of one route are adjacent.
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const last = store.recordMonths(origin, dest, carrier)?.last;
    if (last === undefined) continue;
    if (routeKey !== origin + dest) [routeKey, onRoute] = [origin + dest, []];
    const newest = last > (onRoute[0]?.newest ?? '') ? last : (onRoute[0]?.newest ?? '');
    onRoute.push({ last, newest });
    for (const one of onRoute) one.newest = newest;
    const routes = byCarrier.get(carrier) ?? [];
    routes.push(onRoute.at(-1)!);
    byCarrier.set(carrier, routes);
  }
  return byCarrier;
}

/** Returns the newest month, or an empty text if there are no months. */
export function newestOf(months: readonly string[]): string {
  return months.reduce((newest, month) => (month > newest ? month : newest), '');
}

/** Whether a month is a year or more before another month. */
export function isLongBefore(month: string, newest: string): boolean {
  return newest !== '' && month <= monthOf(firstDay(newest, -ABSENCE_MONTHS));
}
