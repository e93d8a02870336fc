import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';

/** The airline-routes of a store, grouped. */
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
