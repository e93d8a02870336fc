import { sum } from '../../../warehouse/ground/numbers.ts';
import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';

/** The airline-routes of a store, in groups. */
export type Services = {
  all: AirlineRoute[];
  byOrigin: Map<string, AirlineRoute[]>;
  byDest: Map<string, AirlineRoute[]>;
  byAirline: Map<string, AirlineRoute[]>;
};

/** Groups the airline-routes of a store by origin, destination and airline. */
export const servicesOf: (store: ScoreStore) => Services = memoizeFor((store) => {
  const all = [...store.airlineRoutes()];
  return {
    all,
    byOrigin: Map.groupBy(all, ({ origin }) => origin),
    byDest: Map.groupBy(all, ({ dest }) => dest),
    byAirline: Map.groupBy(all, ({ carrier }) => carrier),
  };
});

/**
 * Returns the record that contains the most flights of an airport or operator. If no record contains such flights,
 * returns the American record.
 */
export function largestRecord(
  group: 'byOrigin' | 'byAirline',
  code: string,
  store: ScoreStore,
): ScoreStore {
  const flightsIn = (record: ScoreStore) =>
    sum(
      (servicesOf(record)[group].get(code) ?? []).map(
        ({ origin, dest, carrier }) => record.routeCarrier(origin, dest, carrier)?.flightCount ?? 0,
      ),
    );
  const records = [store, ...store.parts].map((record) => ({ record, flights: flightsIn(record) }));
  return records.reduce((most, one) => (one.flights > most.flights ? one : most)).record;
}
