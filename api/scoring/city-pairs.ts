import { soldAirlines, type SoldAirline } from '../../models/sold-airlines.ts';
import { cityOfAirport, cityOfCode } from '../../warehouse/reference/cities.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

export type AirportPair = { origin: string; dest: string };

/**
 * Returns the airports of a code. The code names an airport, or a city such as `NYC` with several airports. If the code
 * names both, only the airport is returned. An unknown code has no airports.
 */
export function airportsOfCode(code: string, store: ScoreStore): string[] {
  if (store.airport(code)) return [code];
  return (cityOfCode(code)?.airports ?? []).filter((airport) => store.airport(airport));
}

/** Returns all airports in the same city; the given airport comes first. */
export function airportsOfCity(airport: string, store: ScoreStore): string[] {
  const others = (cityOfAirport(airport)?.airports ?? []).filter(
    (one) => one !== airport && store.airport(one),
  );
  return [airport, ...others];
}

/**
 * Returns the pair of airports with the most flights, by the order of `sortByFlights`. Returns undefined if one place
 * contains all airports of the other, as New York contains JFK.
 */
export function busiestPair(
  origins: readonly string[],
  dests: readonly string[],
  { airline, store }: { airline: string | undefined; store: ScoreStore },
): AirportPair | undefined {
  const isWithin = (inner: readonly string[], outer: readonly string[]) =>
    inner.every((one) => outer.includes(one));
  if (isWithin(origins, dests) || isWithin(dests, origins)) return undefined;
  const [first, ...others] = pairsOf(origins, dests);
  if (!first || others.length === 0) return first;
  const [busiest] = sortByFlights([first, ...others], airline, store);
  return busiest && { origin: busiest.origin, dest: busiest.dest };
}

/** Returns all pairs of two different airports. */
export function pairsOf(origins: readonly string[], dests: readonly string[]): AirportPair[] {
  return origins.flatMap((origin) =>
    dests.flatMap((dest) => (origin === dest ? [] : [{ origin, dest }])),
  );
}

/**
 * Sorts pairs of airports, most flights first. Counts only airlines that still fly the route. If an airline is named,
 * compares pairs by the flights that it sells, then by the flights that it operates for other airlines, and then by all
 * flights. Pairs without flights come last, in their former order.
 */
export function sortByFlights(
  pairs: readonly AirportPair[],
  airline: string | undefined,
  store: ScoreStore,
): (AirportPair & { flights: number })[] {
  const counted = pairs.map((pair) => {
    const counts = { sold: 0, operated: 0, flights: 0 };
    const record = store.forRoute(pair.origin, pair.dest);
    for (const one of soldAirlines(pair.origin, pair.dest, record)) {
      if (!one.isCurrent) continue;
      const flights = recentFlights(one, pair, record);
      counts.flights += flights;
      if (one.carrier === airline) counts.sold += flights;
      const operator = one.brand?.operators.find(({ carrier }) => carrier === airline);
      if (operator) counts.operated += operator.share * flights;
    }
    return { pair, ...counts };
  });
  return counted
    .toSorted((a, b) => b.sold - a.sold || b.operated - a.operated || b.flights - a.flights)
    .map(({ pair, flights }) => ({ ...pair, flights }));
}

/**
 * Returns an airline's number of flights, with more weight on recent months. This weighted number is the sum over the
 * departure hours. An airline without departure hours counts as less than one flight: the more flights it has, the
 * closer to one. If the store has no departure hours at all, returns the unweighted number.
 */
function recentFlights(
  { carrier, flightCount, brand }: SoldAirline,
  { origin, dest }: AirportPair,
  store: ScoreStore,
): number {
  if (store.manifest.tables['departure_hours']?.rows === 0) return flightCount;
  const hours = brand?.hours ?? store.departureHours(origin, dest, carrier);
  const flights = hours?.reduce((sum, count) => sum + count, 0) ?? 0;
  return flights > 0 ? flights : flightCount / (1 + flightCount);
}
