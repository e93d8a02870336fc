import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { mapInSlices } from './time-slices.ts';

/** Number of lines on the first page's board. */
const BOARD_LINES = 8;

type Service = { origin: string; dest: string; carrier: string };

/** Returns the airline-routes with the most flights. Each airport appears only once. */
export const busiestServices: (store: ScoreStore) => Promise<Service[]> = loadOnceFor(buildBoard);

async function buildBoard(store: ScoreStore): Promise<Service[]> {
  const counted = await mapInSlices(store.airlineRoutes(), (service) => ({
    ...service,
    flights: store.routeCarrier(service.origin, service.dest, service.carrier)?.flightCount ?? 0,
  }));
  const all = counted.toSorted((a, b) => b.flights - a.flights);
  const board: Service[] = [];
  const shown = new Set<string>();
  for (const { origin, dest, carrier } of all) {
    if (board.length === BOARD_LINES) break;
    if (shown.has(origin) || shown.has(dest)) continue;
    board.push({ origin, dest, carrier });
    shown.add(origin).add(dest);
  }
  return board;
}
