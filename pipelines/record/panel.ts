import { monthsBetween } from '../../warehouse/ground/dates.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';

/** Days from the night of the forecast to the flight. */
export const HORIZONS = [1, 7, 30, 90] as const;

/**
 * Number of airline-routes from the American record, and from each other provider. Each airline-route is forecast once
 * for every horizon.
 */
const PANEL_SIZE = { home: 750, other: 90 };
/**
 * Number of months without flights after which an airline-route has probably ended. The months are counted back from
 * the newest month of the store.
 */
const CURRENT_MONTHS = 12;

const TRAFFIC = ['busy', 'medium', 'thin'] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** An airline on a route at an hour, forecast every night. */
export type PanelFlight = {
  origin: string;
  dest: string;
  carrier: string;
  /** Absent if the record has no hours. */
  hour?: number;
  traffic: Traffic;
};

/**
 * Chooses the flights that are forecast every night: for each provider, equally many busy, medium and thin
 * airline-routes, at all hours. The choice ignores delays. Airline-routes are taken in the order of a hash of their
 * names, so that the next store gives nearly the same choice.
 */
export function choosePanel(store: ScoreStore): PanelFlight[] {
  const chosen = new Map<string, PanelFlight>();
  for (const [at, part] of [store, ...store.parts].entries()) {
    const size = at === 0 ? PANEL_SIZE.home : PANEL_SIZE.other;
    for (const flight of choosePart(part, size)) {
      // Two providers may have records of the same flight. The record of the first provider is used.
      const key = nameOf(flight);
      if (!chosen.has(key)) chosen.set(key, flight);
    }
  }
  return [...chosen.values()];
}

function choosePart(store: ScoreStore, size: number): PanelFlight[] {
  const newest = store.manifest.months.at(-1) ?? '';
  const routes = [...store.airlineRoutes()]
    .filter(({ origin, dest, carrier }) => {
      const last = store.recordMonths(origin, dest, carrier)?.last;
      return last !== undefined && monthsBetween(last, newest) < CURRENT_MONTHS;
    })
    .map((route) => ({ route, flights: flightCountOf(route, store), order: sha256(nameOf(route)) }))
    .toSorted((a, b) => b.flights - a.flights || (a.order < b.order ? -1 : 1));
  const third = Math.ceil(routes.length / TRAFFIC.length);
  return TRAFFIC.flatMap((traffic, at) =>
    routes
      .slice(at * third, (at + 1) * third)
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, Math.ceil(size / TRAFFIC.length))
      .map(({ route: { origin, dest, carrier }, order }) => {
        const hour = hourOf(store.departureHours(origin, dest, carrier), order);
        return { origin, dest, carrier, ...(hour !== undefined && { hour }), traffic };
      }),
  );
}

/** Chooses one of the hours in which the airline departs, each with the same probability. */
function hourOf(hours: Float32Array | undefined, order: string): number | undefined {
  const flown = [...(hours ?? [])].flatMap((weight, hour) => (weight > 0 ? [hour] : []));
  return flown[Number.parseInt(order.slice(-8), 16) % flown.length];
}

function flightCountOf({ origin, dest, carrier }: AirlineRoute, store: ScoreStore): number {
  return store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
}

function nameOf({ origin, dest, carrier }: AirlineRoute): string {
  return `${carrier} ${origin}-${dest}`;
}
