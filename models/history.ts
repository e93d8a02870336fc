import { memoizeFor } from '../warehouse/ground/load-once.ts';
import type { FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { monthsOf, statsOf } from './brands.ts';
import { endOfAirline } from './current-airlines.ts';
import { carrierRates, priorRates } from './prior.ts';
import { memoizeUndated, type UndatedFlight } from './same-flight.ts';
import type { DataTier, PartsOnRecord } from './types.ts';

/** The history behind a flight, on any day. */
export type History = {
  tier: DataTier;
  stats: FlightStats;
  hasRecord: PartsOnRecord;
  /** Whether the history has flights in the countries of the airports. */
  isCovered: { origin: boolean; dest: boolean };
  /**
   * Last month of the record that is used, `YYYY-MM`. Undefined if there is no record or if its last month is unknown.
   */
  recordEnd: string | undefined;
  /** Last month of an airline that no longer exists. */
  ended: string | undefined;
};

/**
 * Returns the history of the airline on the route. If the airline has no flights there, returns the history of the
 * route.
 */
export const historyOf = memoizeUndated((flight, store): History => {
  const { tier, stats } = findStats(flight, store);
  const { origin, dest, carrier } = flight;
  const isFlown = tier !== 'no_data';
  const isCovered = (airport: string) =>
    isFlown || countriesOnRecord(store).has(store.airport(airport)?.countryCode ?? '');
  return {
    tier,
    stats,
    hasRecord: {
      origin: isFlown || store.groupRates('origin', origin) !== undefined,
      dest: isFlown || store.groupRates('dest', dest) !== undefined,
      carrier: tier === 'exact' || store.groupRates('carrier', carrier) !== undefined,
    },
    isCovered: { origin: isCovered(origin), dest: isCovered(dest) },
    recordEnd: recordEndOf(flight, tier, store),
    ended: endOfAirline(carrier, store),
  };
});

/** Returns the tier of a flight. In tier `no_data` the model is not used, because the route has no history. */
export function dataTier(flight: UndatedFlight, store: ScoreStore): DataTier {
  return historyOf(flight, store).tier;
}

/** Returns the countries of all airports with flights in the history, as codes. */
export const countriesOnRecord: (store: ScoreStore) => ReadonlySet<string> = memoizeFor((store) => {
  const codes = [...store.airports()].flatMap(({ iata, countryCode }) =>
    store.groupRates('origin', iata) || store.groupRates('dest', iata) ? [countryCode] : [],
  );
  return new Set(codes);
});

/** In tier `no_data`, all counts are zero, and the rates come from the prior. */
function findStats(
  flight: UndatedFlight,
  store: ScoreStore,
): { tier: DataTier; stats: FlightStats } {
  const { origin, dest } = flight;
  const exact = statsOf(flight, store);
  if (exact) return { tier: 'exact', stats: exact };
  const route = store.route(origin, dest);
  if (route) {
    const rates = carrierRates(route, flight, store);
    return { tier: 'route_any_airline', stats: { ...route, ...rates } };
  }
  const noFlights = {
    flightCount: 0,
    completedCount: 0,
    delayedCount: 0,
    cancelledCount: 0,
    delayedMinSum: 0,
  };
  return { tier: 'no_data', stats: { ...noFlights, ...priorRates(flight, store) } };
}

/** Returns the last month of the record that is used in this tier. */
function recordEndOf(flight: UndatedFlight, tier: DataTier, store: ScoreStore): string | undefined {
  if (tier === 'exact') return monthsOf(flight, store)?.last;
  const { origin, dest } = flight;
  const months = store
    .carriersOnRoute(origin, dest)
    .flatMap((stats) => store.recordMonths(origin, dest, stats.carrier)?.last ?? []);
  return months.toSorted().at(-1);
}
