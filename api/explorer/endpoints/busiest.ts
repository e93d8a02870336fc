import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { inTurns } from './turns.ts';

/** Lines of the board. */
const SHOWN = 8;

type Service = { origin: string; dest: string; carrier: string };

/** The airline-routes with most flights, no airport in two of them. */
export const busiestServices: (store: ScoreStore) => Promise<Service[]> = loadOnceFor(boardOf);

async function boardOf(store: ScoreStore): Promise<Service[]> {
  const counted = await inTurns(store.airlineRoutes(), (service) => ({
    ...service,
    flights: store.routeCarrier(service.origin, service.dest, service.carrier)?.flightCount ?? 0,
  }));
  const all = counted.toSorted((a, b) => b.flights - a.flights);
  const board: Service[] = [];
  const shown = new Set<string>();
  for (const { origin, dest, carrier } of all) {
    if (board.length === SHOWN) break;
    if (shown.has(origin) || shown.has(dest)) continue;
    board.push({ origin, dest, carrier });
    shown.add(origin).add(dest);
  }
  return board;
}
