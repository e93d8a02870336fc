import type { BrandOperator, BrandRecord } from '../warehouse/store/brand-record.ts';
import type { AirlineRoute, FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { sum } from '../warehouse/ground/numbers.ts';
import { brandOf, departuresOf, existingOperators } from './brands.ts';
import { routeAirlines, isLongBefore, newestOf, type RouteAirline } from './current-airlines.ts';
import type { FlightQuery } from './types.ts';

/** An airline on a route, as an operator or as a brand with operators. */
export type Service = AirlineRoute & Pick<FlightQuery, 'isBrand'>;

/**
 * An airline from which travellers buy tickets on a route: a brand with its operators, or an airline that sells its own
 * flights.
 */
export type SoldAirline = RouteAirline & {
  /** The flights by operator; undefined if the airline operates all its flights itself. */
  brand?: BrandRecord<FlightStats>;
};

/**
 * Lists the airlines that sell flights on a route, in code order. An operator is left out if other airlines sell most
 * of its flights. Otherwise, its counts exclude the flights that other airlines sell. `isCurrent` is computed as in
 * `routeAirlines`. In addition, a brand must have sold flights in the newest twelve months.
 */
export function soldAirlines(origin: string, dest: string, store: ScoreStore): SoldAirline[] {
  const operators = routeAirlines(origin, dest, store);
  const codes = store.brandsOnRoute(origin, dest);
  if (codes.length === 0) return operators;
  const newest = newestOf(operators.flatMap(({ record }) => record?.last ?? []));
  const sold = codes.flatMap((carrier): SoldAirline[] => {
    const brand = store.brand(origin, dest, carrier);
    if (!brand) return [];
    const { stats, months } = brand;
    const isFlown = operatorsNow(brand, operators).length > 0;
    const isCurrent = isFlown && !isLongBefore(months.last, newest);
    return [{ carrier, ...stats, record: months, isCurrent, brand }];
  });
  const own = operators.flatMap((one) =>
    codes.includes(one.carrier) ? [] : (ownFlights(one, sold) ?? []),
  );
  return [...sold, ...own].toSorted((a, b) => (a.carrier < b.carrier ? -1 : 1));
}

/** Returns whether the airline, as the brand or operator of the query, still has flights on the route. */
export function isCurrentService(
  { origin, dest, carrier, isBrand }: Service,
  store: ScoreStore,
): boolean {
  const airlines = isBrand ? soldAirlines(origin, dest, store) : routeAirlines(origin, dest, store);
  return airlines.some((one) => one.isCurrent && one.carrier === carrier);
}

/** Returns the operators of a brand that still fly the route. */
function operatorsNow(
  { operators }: BrandRecord<FlightStats>,
  onRoute: readonly RouteAirline[],
): BrandOperator<FlightStats>[] {
  return operators.filter((operator) =>
    onRoute.some(({ carrier, isCurrent }) => isCurrent && carrier === operator.carrier),
  );
}

const COUNTS = [
  'flightCount',
  'completedCount',
  'delayedCount',
  'cancelledCount',
  'delayedMinSum',
] as const;

/**
 * Returns the operator without the flights that other airlines sell. Undefined if other airlines sell most of its
 * flights.
 */
function ownFlights(
  operator: RouteAirline,
  sold: readonly SoldAirline[],
): RouteAirline | undefined {
  const parts = sold.flatMap(({ brand }) =>
    (brand?.operators ?? []).filter(({ carrier }) => carrier === operator.carrier),
  );
  const soldCount = (count: (typeof COUNTS)[number]) => sum(parts.map(({ stats }) => stats[count]));
  if (soldCount('flightCount') >= operator.flightCount / 2) return undefined;
  const own = { ...operator };
  // The counts of each brand are rounded, so a small difference could fall below 0.
  for (const count of COUNTS) own[count] = Math.max(0, operator[count] - soldCount(count));
  return own;
}

/** Returns the departures by hour of each operator of the services. Leaves out operators if their hours are unknown. */
export function* operatedHours(
  services: Iterable<Service>,
  store: ScoreStore,
): Generator<{ route: AirlineRoute; departures: Float32Array }> {
  for (const { origin, dest, ...service } of services) {
    const brand = brandOf({ origin, dest, ...service }, store);
    if (!brand) {
      const departures = departuresOf({ origin, dest, ...service }, store);
      const { carrier } = service;
      if (departures) yield { route: { origin, dest, carrier }, departures };
      continue;
    }
    for (const { carrier, hours } of existingOperators(brand, store)) {
      yield { route: { origin, dest, carrier }, departures: hours };
    }
  }
}
