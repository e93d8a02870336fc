import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';

/** The airline-routes of a store by what they have in common. */
export type Services = {
  all: AirlineRoute[];
  from: Map<string, AirlineRoute[]>;
  to: Map<string, AirlineRoute[]>;
  of: Map<string, AirlineRoute[]>;
};

const known = new WeakMap<ScoreStore, Services>();

/** The airline-routes of the history, by airport of departure, airport of arrival and airline. */
export function servicesOf(store: ScoreStore): Services {
  const before = known.get(store);
  if (before) return before;
  const all = [...store.airlineRoutes()];
  const services = {
    all,
    from: Map.groupBy(all, ({ origin }) => origin),
    to: Map.groupBy(all, ({ dest }) => dest),
    of: Map.groupBy(all, ({ carrier }) => carrier),
  };
  known.set(store, services);
  return services;
}
