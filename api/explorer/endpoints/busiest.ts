import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import { statsOf } from '../../../models/brands.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { soldServicesOf } from './sold.ts';
import { mapInSlices } from './time-slices.ts';

/** Number of lines on the first page's board. */
const BOARD_LINES = 8;

/** Returns the airline-routes with the most flights. Each airport appears only once. */
export const busiestServices: (store: ScoreStore) => Promise<Service[]> = loadOnceFor(buildBoard);

async function buildBoard(store: ScoreStore): Promise<Service[]> {
  const counted = await mapInSlices(soldServicesOf(store).all, (service) => ({
    ...service,
    flights: statsOf(service, store)?.flightCount ?? 0,
  }));
  const all = counted.toSorted((a, b) => b.flights - a.flights);
  const board: Service[] = [];
  const shown = new Set<string>();
  for (const { flights: _, ...service } of all) {
    const { origin, dest } = service;
    if (board.length === BOARD_LINES) break;
    if (shown.has(origin) || shown.has(dest)) continue;
    board.push(service);
    shown.add(origin).add(dest);
  }
  return board;
}
