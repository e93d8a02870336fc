import { addDays } from '../../../warehouse/ground/dates.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { localDay } from '../../local-day.ts';
import { assessNow } from '../../scoring/assess.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { hourShare } from '../../scoring/flown-hours.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Departure, StartData } from '../views/start/start-data.ts';
import { cityOf } from './place-names.ts';
import { placesOf } from './place-list.ts';
import { busiestServices } from './busiest.ts';
import { inferredIn } from './sold.ts';
import { shareOf } from './today-departures.ts';
import { mapInSlices } from './time-slices.ts';

const DAYS_AHEAD = 7;

/** The departures on the board are spread between these two hours: the first and the last large waves of a day. */
const [FIRST_HOUR, LAST_HOUR] = [6, 21];
/** Minimum share of an airline's flights on the route. Hours with a smaller share are not shown. */
const MIN_HOUR_SHARE = 0.02;

/**
 * Data of the first page: scores of flights on the busiest routes, a week from now. The flights are spread over the
 * day, because the risk differs most by hour.
 */
export const startEndpoint: Endpoint = {
  path: '/explorer/start',
  restsOn: 'now',
  answer: async (_query, deps): Promise<StartData> => {
    const store = currentStore(deps.stores);
    const { months } = store.manifest;
    const today = localDay('America/New_York', deps.now()).date;
    const date = addDays(today, DAYS_AHEAD);
    const board = await busiestServices(store);
    const timed = board.map((service, at) => {
      const target = FIRST_HOUR + ((LAST_HOUR - FIRST_HOUR) * at) / Math.max(1, board.length - 1);
      return { service, hour: nearestHour(service, target, store) };
    });
    const departures = await mapInSlices(timed, ({ service, hour }): Departure => {
      const { origin, dest, carrier } = service;
      const query = { ...service, flightDate: date, ...(hour !== null && { crsDepHour: hour }) };
      const assessment = assessNow(query, store, deps);
      const { score, label } = assessment;
      return {
        origin,
        dest,
        airline: carrier,
        from: cityOf(origin, store),
        to: cityOf(dest, store),
        airline_name: store.airline(carrier)?.name ?? carrier,
        hour,
        score,
        label,
        inferred: inferredIn([service], store),
        chance: shareOf({ query, assessment, store }),
      };
    });
    return {
      today,
      date,
      departures: departures.toSorted((a, b) => (a.hour ?? 0) - (b.hour ?? 0)),
      airports: placesOf(store).filter(({ flights }) => flights > 0).length,
      months: { first: months[0] ?? null, last: months.at(-1) ?? null },
    };
  },
};

/** Returns the hour nearest to `target` in which the airline departs on the route; null if the hours are unknown. */
function nearestHour(service: Service, target: number, store: ScoreStore): number | null {
  const shareOf = hourShare(service, store);
  const hours = HOURS.filter((hour) => (shareOf?.(hour) ?? 0) >= MIN_HOUR_SHARE);
  const [nearest = null] = hours.toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target));
  return nearest;
}
