import { brandOf, operatorsOf, statsOf } from '../../../models/brands.ts';
import { sellersOf } from '../../../models/sellers.ts';
import { soldAirlines, type Service } from '../../../models/sold-airlines.ts';
import { inferredOf, type Inferred } from '../../../warehouse/ground/inferred.ts';
import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import type { ComparisonKind, ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineName } from '../../presenters/names.ts';
import type { InferredBody, OperatorBody, SellerBody } from '../views/brands-data.ts';
import { listComparisons, type CodedComparison, type Codes } from './comparisons.ts';
import { servicesOf } from './services.ts';

/**
 * The airline-routes of all airlines that sell flights, as a list and grouped by origin. `brands` contains the codes of
 * the brands.
 */
type SoldServices = { all: Service[]; byOrigin: Map<string, Service[]>; brands: Set<string> };

/** Groups the flights of a store by the airline that sells them. */
export const soldServicesOf: (store: ScoreStore) => SoldServices = memoizeFor((store) => {
  const routes = Map.groupBy(servicesOf(store).all, ({ origin, dest }) => origin + dest);
  const all = [...routes.values()].flatMap(([{ origin, dest } = { origin: '', dest: '' }]) =>
    soldAirlines(origin, dest, store).map(({ carrier, brand }): Service => ({
      ...{ origin, dest, carrier },
      ...(brand && { isBrand: true }),
    })),
  );
  const brands = new Set(all.flatMap(({ carrier, isBrand }) => (isBrand ? [carrier] : [])));
  return { all, byOrigin: Map.groupBy(all, ({ origin }) => origin), brands };
});

/**
 * Returns the routes on which an airline sells flights. For an operator that sells no flights, returns the routes that
 * it operates.
 */
export function servicesBy(code: string, store: ScoreStore): Service[] {
  const { all, brands } = soldServicesOf(store);
  if (brands.has(code)) return all.filter(({ carrier }) => carrier === code);
  return servicesOf(store).byAirline.get(code) ?? [];
}

/** Returns whether other airlines sell most of the flights of an operator. */
export function isSoldByOthers(code: string, store: ScoreStore): boolean {
  return sum(sellersOf(code, store).map(({ share }) => share)) > 0.5;
}

/** Maps each kind of comparison between operators to the same comparison between brands. */
const SOLD_KINDS = {
  carrier: 'brand',
  origin_carrier: 'origin_brand',
  route_carrier: 'route_brand',
} as const satisfies Partial<Record<ComparisonKind, ComparisonKind>>;

/** Lists the comparisons of airlines that sell flights, least late first. */
export function soldComparisons(
  kind: keyof typeof SOLD_KINDS,
  filter: Partial<Codes>,
  store: ScoreStore,
): CodedComparison[] {
  const { brands } = soldServicesOf(store);
  const own = listComparisons(kind, filter, store).filter(
    ({ codes: { carrier } }) => !brands.has(carrier) && !isSoldByOthers(carrier, store),
  );
  const sold = listComparisons(SOLD_KINDS[kind], filter, store);
  return [...sold, ...own].toSorted((a, b) => a.compared.ratio - b.compared.ratio);
}

/**
 * Returns the comparisons of one airline. For a brand, they compare the flights that it sells; for any other airline,
 * the flights that it operates.
 */
export function comparisonsBy(
  code: string,
  kind: keyof typeof SOLD_KINDS,
  store: ScoreStore,
): CodedComparison[] {
  const isBrand = soldServicesOf(store).brands.has(code);
  return listComparisons(isBrand ? SOLD_KINDS[kind] : kind, { carrier: code }, store);
}

/**
 * Describes the airlines that operate a brand's flights on a route, as in the score of a flight. Empty if the airline
 * operates all its flights itself.
 */
export function operatorsOn(service: Service, store: ScoreStore): OperatorBody[] {
  return operatorBodies(operatorsOf(service, store), store);
}

/** Describes the operators of all services of a brand, weighted by flights. */
export function operatorsOfAll(services: readonly Service[], store: ScoreStore): OperatorBody[] {
  const groups = groupsOf(services, store);
  const total = sum(groups.map(({ flights }) => flights));
  const operators = [...Map.groupBy(groups, ({ carrier }) => carrier)].map(([carrier, own]) => ({
    carrier,
    share: sum(own.map(({ flights }) => flights)) / total,
    ...inferredOf(own),
  }));
  return operatorBodies(operators, store);
}

/**
 * Returns the share of the services' flights that have an inferred brand, and the confidence in the inferred brands.
 */
export function inferredIn(services: readonly Service[], store: ScoreStore): InferredBody {
  return inferredBody(inferredOf(groupsOf(services, store)));
}

/** Lists the operators of each service, with their numbers of flights. */
function groupsOf(
  services: readonly Service[],
  store: ScoreStore,
): (Inferred & { carrier: string; flights: number })[] {
  return services.flatMap((service) => {
    const brand = brandOf(service, store);
    if (brand) return brand.operators.map((one) => ({ ...one, flights: one.stats.flightCount }));
    const flights = statsOf(service, store)?.flightCount ?? 0;
    return [{ carrier: service.carrier, flights, inferredShare: 0 }];
  });
}

function operatorBodies(
  operators: readonly (Inferred & { carrier: string; share: number })[],
  store: ScoreStore,
): OperatorBody[] {
  return operators
    .map((one) => ({
      airline: one.carrier,
      name: airlineName(one.carrier, store),
      share: round(one.share, 4),
      inferred: inferredBody(one),
    }))
    .toSorted((a, b) => b.share - a.share || (a.airline < b.airline ? -1 : 1));
}

/** Lists the brands that sell an operator's flights; empty for an airline that sells its own flights. */
export function sellerBodies(code: string, store: ScoreStore): SellerBody[] {
  return sellersOf(code, store).map((one) => ({
    airline: one.brand,
    name: airlineName(one.brand, store),
    share: round(one.share, 4),
    inferred: inferredBody(one),
    last: one.last,
  }));
}

/**
 * Returns the share of a brand's flights for which the brand is inferred, and the confidence in the inferred brand.
 * Returns null if the record names the brand of every flight.
 */
export function inferredBody({ inferredShare, confidence }: Inferred): InferredBody {
  if (confidence === undefined) return null;
  return { share: round(inferredShare, 4), confidence: round(confidence, 4) };
}
