import { memoizeFor } from '../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import { newestOf } from './current-airlines.ts';

/** A brand for which an operator flies. */
export type Seller = {
  brand: string;
  /** The brand's share of the operator's flights, 0 to 1. */
  share: number;
  /** Share of these flights whose brand is inferred, 0 to 1. */
  inferredShare: number;
  /** Probability that the inferred brand of one of these flights is right; undefined if none is inferred. */
  confidence?: number;
  /** Last month of these flights, `YYYY-MM`. */
  last: string;
};

/** Returns the other airlines that sell an operator's flights, most flights first; empty for an airline that sells its own. */
export function sellersOf(carrier: string, store: ScoreStore): readonly Seller[] {
  return sellersIn(store).get(carrier) ?? [];
}

type Sold = { flights: number; inferred: number; right: number; last: string };

const sellersIn = memoizeFor((store: ScoreStore): Map<string, Seller[]> => {
  const sold = new Map<string, Map<string, Sold>>();
  const operated = new Map<string, number>();
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const flights = store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
    operated.set(carrier, (operated.get(carrier) ?? 0) + flights);
  }
  for (const { origin, dest, carrier: brand } of store.brandRoutes()) {
    for (const one of store.brand(origin, dest, brand)?.operators ?? []) {
      if (one.carrier === brand) continue;
      const byBrand = sold.get(one.carrier) ?? new Map<string, Sold>();
      const sums = byBrand.get(brand) ?? { flights: 0, inferred: 0, right: 0, last: '' };
      const flights = one.stats.flightCount;
      sums.flights += flights;
      sums.inferred += one.inferredShare * flights;
      sums.right += one.inferredShare * flights * (one.confidence ?? 0);
      sums.last = newestOf([sums.last, one.months.last]);
      byBrand.set(brand, sums);
      sold.set(one.carrier, byBrand);
    }
  }
  return new Map(
    [...sold].map(([carrier, byBrand]) => [
      carrier,
      toSellers(byBrand, operated.get(carrier) ?? 0),
    ]),
  );
});

function toSellers(byBrand: Map<string, Sold>, operated: number): Seller[] {
  return [...byBrand]
    .map(([brand, { flights, inferred, right, last }]) => ({
      brand,
      share: Math.min(1, flights / operated),
      inferredShare: inferred / flights,
      ...(inferred > 0 && { confidence: right / inferred }),
      last,
    }))
    .toSorted((a, b) => b.share - a.share || (a.brand < b.brand ? -1 : 1));
}
