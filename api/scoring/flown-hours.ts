import { departuresOf } from '../../models/brands.ts';
import type { FlightQuery } from '../../models/types.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

type AirlineRoute = Pick<FlightQuery, 'origin' | 'dest' | 'carrier' | 'isBrand'>;

/**
 * Returns a function from an hour to the share of the airline's flights on the route in this hour; undefined if the
 * departure hours are unknown.
 */
export function hourShare(
  route: AirlineRoute,
  store: ScoreStore,
): ((hour: number) => number) | undefined {
  const flights = departuresOf(route, store);
  if (!flights) return undefined;
  const all = sum(flights);
  return (hour) => (all === 0 ? 0 : (flights[hour] as number) / all);
}
