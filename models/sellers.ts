import { inferredOf, type Inferred } from '../warehouse/ground/inferred.ts';
import { memoizeFor } from '../warehouse/ground/load-once.ts';
import { sum } from '../warehouse/ground/numbers.ts';
import type { BrandOperator } from '../warehouse/store/brand-record.ts';
import type { AirlineRoute, FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { newestOf } from './current-airlines.ts';

/** A brand for which an operator flies. */
export type Seller = Inferred & {
  brand: string;
  /** The brand's share of the operator's flights, 0 to 1. */
  share: number;
  /** Last month of these flights, `YYYY-MM`. */
  last: string;
};

/**
 * Returns the other airlines that sell an operator's flights, most flights first. Empty if only the operator sells its
 * flights.
 */
export function sellersOf(carrier: string, store: ScoreStore): readonly Seller[] {
  return sellersIn(store).get(carrier) ?? [];
}

const sellersIn = memoizeFor((store: ScoreStore): Map<string, Seller[]> => {
  const operated = new Map<string, number>();
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const flights = store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
    operated.set(carrier, (operated.get(carrier) ?? 0) + flights);
  }
  const sold = [...store.brandRoutes()].flatMap(({ origin, dest, carrier: brand }) =>
    (store.brand(origin, dest, brand)?.operators ?? [])
      .filter(({ carrier }) => carrier !== brand)
      .map((one) => ({ ...one, brand, flights: one.stats.flightCount })),
  );
  return new Map(
    [...Map.groupBy(sold, ({ carrier }) => carrier)].map(([carrier, flights]) => [
      carrier,
      toSellers(flights, operated.get(carrier) ?? 0),
    ]),
  );
});

/** The airlines that sell an operator's flights on a route. */
type RouteSellers = Inferred & {
  /** Codes of the airlines on the tickets, most flights first. */
  brands: readonly string[];
};

/** Below this share of an operator's flights on a route, flights without a brand are only rounding errors. */
const MIN_OWN_SHARE = 0.01;

/**
 * Returns the airlines that sell an operator's flights on a route. Flights without a brand are sold by the operator
 * itself.
 */
export function routeSellers(
  { origin, dest, carrier }: AirlineRoute,
  store: ScoreStore,
): RouteSellers {
  const sold = store
    .brandsOnRoute(origin, dest)
    .flatMap((brand) =>
      (store.brand(origin, dest, brand)?.operators ?? [])
        .filter((one) => one.carrier === carrier)
        .map((one) => ({ ...one, brand, flights: one.stats.flightCount })),
    );
  const operated = store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
  const rest = operated - sum(sold.map(({ flights }) => flights));
  const own = { brand: carrier, flights: rest, inferredShare: 0 };
  const all = sold.length === 0 || rest >= MIN_OWN_SHARE * operated ? [...sold, own] : sold;
  const brands = all.toSorted((a, b) => b.flights - a.flights).map(({ brand }) => brand);
  return { brands: [...new Set(brands)], ...inferredOf(all) };
}

type Sold = BrandOperator<FlightStats> & { brand: string; flights: number };

function toSellers(sold: Sold[], operated: number): Seller[] {
  return [...Map.groupBy(sold, ({ brand }) => brand)]
    .map(([brand, routes]) => ({
      brand,
      share: Math.min(1, sum(routes.map(({ flights }) => flights)) / operated),
      ...inferredOf(routes),
      last: newestOf(routes.map(({ months }) => months.last)),
    }))
    .toSorted((a, b) => b.share - a.share || (a.brand < b.brand ? -1 : 1));
}
