import { sum } from '../warehouse/ground/sum.ts';
import type { BrandRecord } from '../warehouse/store/brand-record.ts';
import type { FlightStats, RecordMonths, ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

type Sold = Pick<FlightQuery, 'origin' | 'dest' | 'carrier' | 'crsDepHour' | 'isBrand'>;

/** Returns the flights of the query's brand on the route; undefined if the query names an operator. */
export function brandOf(
  { origin, dest, carrier, isBrand }: Sold,
  store: ScoreStore,
): BrandRecord<FlightStats> | undefined {
  return isBrand ? store.brand(origin, dest, carrier) : undefined;
}

/** Returns the query of the flights that the airline operates itself. */
export function asOperator<Query extends Sold>(query: Query): Omit<Query, 'isBrand'> {
  const { isBrand: _, ...operated } = query;
  return operated;
}

/** Returns the record of the query's brand or operator on the route. */
export function statsOf(query: Sold, store: ScoreStore): FlightStats | undefined {
  const { origin, dest, carrier } = query;
  return brandOf(query, store)?.stats ?? store.routeCarrier(origin, dest, carrier);
}

/** Returns the first and last month of that record. */
export function monthsOf(query: Sold, store: ScoreStore): RecordMonths | undefined {
  const { origin, dest, carrier } = query;
  return brandOf(query, store)?.months ?? store.recordMonths(origin, dest, carrier);
}

/** Returns the departures of that record in each hour; undefined if they are unknown. */
export function departuresOf(query: Sold, store: ScoreStore): Float32Array | undefined {
  const { origin, dest, carrier } = query;
  return brandOf(query, store)?.hours ?? store.departureHours(origin, dest, carrier);
}

/**
 * Returns the flight as each operator of its brand flies it, with the share of the brand's flights, in the hour of the
 * query if it has one. Shares add up to 1. The query of an operator is returned alone.
 */
export function operatedFlights<Query extends Sold>(
  query: Query,
  store: ScoreStore,
): { query: Query; share: number }[] {
  const operators = brandOf(query, store)?.operators;
  if (operators === undefined) return [{ query, share: 1 }];
  const { crsDepHour } = query;
  const inHour = operators.map(({ hours }) => (crsDepHour === undefined ? 0 : hours[crsDepHour]!));
  const total = sum(inHour);
  const operated = asOperator(query);
  return operators.map(({ carrier, share }, at) => ({
    query: { ...operated, carrier } as Query,
    share: total === 0 ? share : inHour[at]! / total,
  }));
}
