import { sum } from '../warehouse/ground/numbers.ts';
import type { BrandOperator, BrandRecord } from '../warehouse/store/brand-record.ts';
import type { FlightStats, RecordMonths, ScoreStore } from '../warehouse/store/types.ts';
import { endOfAirline } from './current-airlines.ts';
import { memoizeUndated } from './same-flight.ts';
import type { FlightQuery } from './types.ts';

/** An airline on a route, in an hour or at any time. */
type Sold = Pick<FlightQuery, 'origin' | 'dest' | 'carrier' | 'crsDepHour' | 'isBrand'>;

/** Returns the flights of the query's brand on the route; undefined if the query names an operator. */
export function brandOf(
  { origin, dest, carrier, isBrand }: Sold,
  store: ScoreStore,
): BrandRecord<FlightStats> | undefined {
  return isBrand ? store.brand(origin, dest, carrier) : undefined;
}

/** Returns the query of the flights that the airline operates itself. */
export function asOperator<Query extends Sold>(query: Query): Query {
  return { ...query, isBrand: undefined };
}

/**
 * Returns the record of the query's brand or operator on the route. Its counts cover all hours and operators. Its rates
 * cover only the operators that still exist and, if the query has an hour, depart in this hour.
 */
export function statsOf(query: Sold, store: ScoreStore): FlightStats | undefined {
  const { origin, dest, carrier } = query;
  const brand = brandOf(query, store);
  if (!brand) return store.routeCarrier(origin, dest, carrier);
  const operators = operatorsOf(query, store);
  const mean = (rate: 'delayedRate' | 'cancelledRate') =>
    sum(operators.map(({ share, stats }) => share * stats[rate]));
  return {
    ...brand.stats,
    delayedRate: mean('delayedRate'),
    cancelledRate: mean('cancelledRate'),
  };
}

/** Returns the first and last month of the record that `statsOf` describes. */
export function monthsOf(query: Sold, store: ScoreStore): RecordMonths | undefined {
  const { origin, dest, carrier } = query;
  return brandOf(query, store)?.months ?? store.recordMonths(origin, dest, carrier);
}

/**
 * Returns the number of departures in each hour, from the record that `statsOf` describes. Operators that no longer
 * exist are left out. Undefined if the numbers are unknown.
 */
export function departuresOf(query: Sold, store: ScoreStore): Float32Array | undefined {
  const { origin, dest, carrier } = query;
  const brand = brandOf(query, store);
  if (!brand) return store.departureHours(origin, dest, carrier);
  const existing = existingOperators(brand, store);
  if (existing.length === brand.operators.length) return brand.hours;
  return brand.hours.map((_, hour) => sum(existing.map(({ hours }) => hours[hour]!)));
}

/**
 * Returns one flight for each operator of the query's brand, with the operator's share of the brand's flights. If the
 * query has an hour, these are the shares in this hour. Shares add up to 1. If the query names an operator, returns
 * only the query.
 */
export function operatedFlights<Query extends Sold>(
  query: Query,
  store: ScoreStore,
): { query: Query; share: number }[] {
  const operators = operatorsOf(query, store);
  if (operators.length === 0) return [{ query, share: 1 }];
  const operated = asOperator(query);
  return operators.map(({ carrier, share }) => ({
    query: { ...operated, carrier },
    share,
  }));
}

/**
 * Returns the operators from which the score of the query's brand is computed: operators that still exist and, if the
 * query has an hour, depart in this hour. Their shares add up to 1. Empty if the query names an operator.
 */
export function operatorsOf(query: Sold, store: ScoreStore): readonly BrandOperator<FlightStats>[] {
  return query.isBrand ? brandOperators(query, store) : [];
}

/** Memoized, because record, features and effects of a score need the same operators. */
const brandOperators = memoizeUndated((query, store): BrandOperator<FlightStats>[] => {
  const brand = brandOf(query, store);
  if (!brand) return [];
  const shares = sharesAt(brand, query.crsDepHour, store);
  return brand.operators
    .map((one, at) => ({ ...one, share: shares[at]! }))
    .filter(({ share }) => share > 0);
});

/**
 * Returns each operator's share of the brand's flights in an hour. If no flight departs in the hour, returns the shares
 * of all flights. An operator that no longer exists has the share 0, unless the brand has no other operator.
 */
function sharesAt(
  brand: BrandRecord<FlightStats>,
  hour: number | undefined,
  store: ScoreStore,
): number[] {
  const existing = existingOperators(brand, store);
  const shareOf = (weight: (one: BrandOperator<FlightStats>) => number) => {
    const total = sum(existing.map(weight));
    if (total === 0) return undefined;
    return brand.operators.map((one) => (existing.includes(one) ? weight(one) / total : 0));
  };
  const inHour = hour === undefined ? undefined : shareOf(({ hours }) => hours[hour]!);
  return inHour ?? shareOf(({ share }) => share) ?? brand.operators.map(({ share }) => share);
}

/** Returns the operators that still exist. If no operator still exists, returns all operators. */
export function existingOperators(
  { operators }: BrandRecord<FlightStats>,
  store: ScoreStore,
): readonly BrandOperator<FlightStats>[] {
  const existing = operators.filter(({ carrier }) => endOfAirline(carrier, store) === undefined);
  return existing.length === 0 ? operators : existing;
}
