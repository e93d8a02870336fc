import { addDays } from '../../../warehouse/ground/dates.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import { localDay } from '../../local-day.ts';
import { outlookBodyOf } from '../../presenters/outlook-body.ts';
import { assessNow } from '../../scoring/assess.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { lateShare } from '../views/flight/figures.ts';
import type { Departure, StartData } from '../views/start/start-data.ts';
import { cityOf } from './place-names.ts';
import { placesOf } from './place-list.ts';
import { busiestServices } from './busiest.ts';
import { inferredIn } from './sold.ts';
import { mapInSlices } from './time-slices.ts';

const DAYS_AHEAD = 7;

/** Data of the first page: scores of flights on the busiest routes, a week from now. */
export const startEndpoint: Endpoint = {
  path: '/explorer/start',
  restsOn: 'now',
  answer: async (_query, deps): Promise<StartData> => {
    const store = currentStore(deps.stores);
    const { months } = store.manifest;
    const today = localDay('America/New_York', deps.now()).date;
    const date = addDays(today, DAYS_AHEAD);
    const board = await busiestServices(store);
    const departures = await mapInSlices(board, (service): Departure => {
      const { origin, dest, carrier } = service;
      const query = { ...service, flightDate: date };
      const assessment = assessNow(query, store, deps);
      const { score, label } = assessment;
      const outlook = outlookBodyOf({ query, assessment, store });
      return {
        origin,
        dest,
        airline: carrier,
        from: cityOf(origin, store),
        to: cityOf(dest, store),
        airline_name: store.airline(carrier)?.name ?? carrier,
        score,
        label,
        inferred: inferredIn([service], store),
        chance: outlook && round(lateShare(outlook), 4),
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
