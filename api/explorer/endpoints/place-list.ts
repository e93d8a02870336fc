import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { Place } from '../views/places.ts';

/**
 * For cities that have several airports but no flights on record: the airports that a visitor most likely means. Sorted
 * by preference.
 */
const PREFERRED_AIRPORTS =
  'LHR LGW CDG ORY HND NRT MXP LIN FCO ICN PEK KIX EZE GRU SVO IST DXB YYZ YUL MEX JNB MEL SYD GLA TFS'
    .split(' ')
    .toReversed();

/** Lists all airports of the store with their departures on record, busiest first. */
export const placesOf: (store: ScoreStore) => Place[] = memoizeFor((store) => {
  const flights = new Map<string, number>();
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const count = store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
    flights.set(origin, (flights.get(origin) ?? 0) + count);
  }
  return [...store.airports()]
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
        PREFERRED_AIRPORTS.indexOf(b.iata) - PREFERRED_AIRPORTS.indexOf(a.iata) ||
        (a.iata < b.iata ? -1 : 1),
    );
});
