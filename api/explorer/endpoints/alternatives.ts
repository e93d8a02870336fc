import { alternativesBodyOf } from '../../presenters/alternatives-body.ts';
import { findAlternatives } from '../../routes/alternatives.ts';
import { readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { scorableDates } from '../../scoring/flight-query.ts';
import { MAX_FLIGHTS, type Endpoint } from '../endpoint.ts';
import type { AlternativesData } from '../views/flight/alternatives-data.ts';
import { cityOf } from './place-names.ts';
import { shareOf } from './today-departures.ts';
import { enteredFlight, resolveEntered } from './entered-flight.ts';
import { withoutNumber } from './numbered-flight.ts';

/** Maximum number of alternatives on the page, which also contains the flight itself. */
const LIMIT = MAX_FLIGHTS - 1;

/** Data of the page of alternatives: all flights with a clearly lower score. */
export const alternativesEndpoint: Endpoint = {
  path: '/explorer/alternatives',
  restsOn: 'now',
  flights: () => MAX_FLIGHTS,
  answer: async (query, deps): Promise<AlternativesData> => {
    const whole = currentStore(deps.stores);
    const input = readParams(withoutNumber(query, whole), enteredFlight);
    const { flight } = await resolveEntered(input, deps, whole);
    const { store, origin, dest } = flight;
    const dates = scorableDates(origin, deps.now());
    const [from, to] = [origin, dest].map(({ iata }) => cityOf(iata, store));
    const found = findAlternatives({ store, flight, dates, limit: LIMIT }, deps);
    return {
      ...{ from: from ?? origin.iata, to: to ?? dest.iata, limit: LIMIT },
      answer: alternativesBodyOf(found),
      shares: [found.flight, ...found.better.slice(0, LIMIT)].map((one) =>
        shareOf({ ...one, store }),
      ),
    };
  },
};
