import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { Place } from '../views/places.ts';

const known = new WeakMap<ScoreStore, Place[]>();

/** Where a city has several airports and the history no flight of any: those that are likeliest meant, in that order. */
const FIRST_OF_CITY =
  'LHR LGW CDG ORY HND NRT MXP LIN FCO ICN PEK KIX EZE GRU SVO IST DXB YYZ YUL MEX JNB MEL SYD GLA TFS'
    .split(' ')
    .toReversed();

/** Every airport of the store with the flights that leave it, the busiest first. */
export function placesOf(store: ScoreStore): Place[] {
  const before = known.get(store);
  if (before) return before;
  const flights = new Map<string, number>();
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const count = store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
    flights.set(origin, (flights.get(origin) ?? 0) + count);
  }
  const places = [...store.airports()]
    .map(({ iata, city, name, country }) => ({
      iata,
      city,
      name,
      country,
      flights: flights.get(iata) ?? 0,
    }))
    .toSorted(
      (a, b) =>
        b.flights - a.flights ||
        FIRST_OF_CITY.indexOf(b.iata) - FIRST_OF_CITY.indexOf(a.iata) ||
        (a.iata < b.iata ? -1 : 1),
    );
  known.set(store, places);
  return places;
}
