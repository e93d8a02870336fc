import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';

/** The airline-routes of a store, grouped. */
export type Services = {
  all: AirlineRoute[];
  byOrigin: Map<string, AirlineRoute[]>;
  byDest: Map<string, AirlineRoute[]>;
  byAirline: Map<string, AirlineRoute[]>;
};

const cache = new WeakMap<ScoreStore, Services>();

/** Groups the airline-routes of a store by origin, destination and airline. */
export function servicesOf(store: ScoreStore): Services {
  const cached = cache.get(store);
  if (cached) return cached;
  const all = [...store.airlineRoutes()];
  const services = {
    all,
    byOrigin: Map.groupBy(all, ({ origin }) => origin),
    byDest: Map.groupBy(all, ({ dest }) => dest),
    byAirline: Map.groupBy(all, ({ carrier }) => carrier),
  };
  cache.set(store, services);
  return services;
}
