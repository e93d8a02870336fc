import type { Airline, Airport, ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from '../models/types.ts';
import { RequestError } from './errors.ts';
import { localDay } from './local-day.ts';

export type KnownRoute = { origin: Airport; dest: Airport };

/** A flight whose airports and airline the store knows, on a date it can say something about. */
export type KnownFlight = KnownRoute & { airline: Airline; query: FlightQuery };

/** The two airports, or a 400 when they are the same, or a 404 naming the one the store does not know. */
export function knownRoute(
  params: { origin: string; dest: string },
  store: ScoreStore,
): KnownRoute {
  if (params.origin === params.dest) {
    throw new RequestError(400, 'invalid_parameter', 'dest must differ from origin.', {
      param: 'dest',
    });
  }
  return {
    origin: knownAirport('origin', params.origin, store),
    dest: knownAirport('dest', params.dest, store),
  };
}

/** The flight, or a 400 or 404 saying which parameter does not fit the store. */
export function knownFlight(
  params: { origin: string; dest: string; airline: string; date: string },
  store: ScoreStore,
  now: Date,
): KnownFlight {
  const route = knownRoute(params, store);
  const airline = store.airline(params.airline);
  if (!airline) {
    throw new RequestError(404, 'unknown_airline', `No airline has the code ${params.airline}.`, {
      param: 'airline',
    });
  }
  checkDate(params.date, route.origin, store, now);
  const query = {
    origin: params.origin,
    dest: params.dest,
    carrier: params.airline,
    flightDate: params.date,
  };
  return { ...route, airline, query };
}

function knownAirport(param: 'origin' | 'dest', code: string, store: ScoreStore): Airport {
  const airport = store.airport(code);
  if (!airport) {
    throw new RequestError(404, 'unknown_airport', `No airport has the code ${code}.`, { param });
  }
  return airport;
}

/** From the first day of the history to 365 days after today at the origin, both included. */
function checkDate(date: string, origin: Airport, store: ScoreStore, now: Date): void {
  const today = localDay(origin.timeZone, now);
  const [firstMonth] = store.manifest.months;
  const first = firstMonth === undefined ? today.date : `${firstMonth}-01`;
  if (date < first || date > today.horizon) {
    throw new RequestError(
      400,
      'invalid_parameter',
      `date must be from ${first} to ${today.horizon}.`,
      { param: 'date' },
    );
  }
}
