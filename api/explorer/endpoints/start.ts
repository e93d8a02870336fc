import { addDays } from '../../../warehouse/ground/dates.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { localDay } from '../../local-day.ts';
import { assessNow } from '../../scoring/assess.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Departure, StartData } from '../views/start/start-data.ts';
import { placesOf } from './place-list.ts';
import { inTurns } from './turns.ts';

/** Lines of the board. */
const SHOWN = 8;
const DAYS_AHEAD = 7;

/** What the first page shows before anything is asked: the busiest routes, a week from now. */
export const startEndpoint: Endpoint = {
  path: '/explorer/start',
  restsOn: 'now',
  answer: async (_query, deps): Promise<StartData> => {
    const store = currentStore(deps.stores);
    const { months } = store.manifest;
    const today = localDay('America/New_York', deps.now()).date;
    const date = addDays(today, DAYS_AHEAD);
    const board = await busiest(store);
    const departures = await inTurns(board, ({ origin, dest, carrier }): Departure => {
      const query = { origin, dest, carrier, flightDate: date };
      const { score, label } = assessNow(query, store, deps);
      return {
        origin,
        dest,
        airline: carrier,
        from: store.airport(origin)?.city || origin,
        to: store.airport(dest)?.city || dest,
        airline_name: store.airline(carrier)?.name ?? carrier,
        score,
        label,
      };
    });
    return {
      today,
      date,
      departures,
      airports: placesOf(store).filter(({ flights }) => flights > 0).length,
      months: { first: months[0] ?? null, last: months.at(-1) ?? null },
    };
  },
};

type Service = { origin: string; dest: string; carrier: string };

const boards = new WeakMap<ScoreStore, Promise<Service[]>>();

/** The airline-routes with most flights, no airport on two lines. */
function busiest(store: ScoreStore): Promise<Service[]> {
  const known = boards.get(store) ?? boardOf(store);
  boards.set(store, known);
  return known;
}

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
