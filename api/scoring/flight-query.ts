import type { Airline, Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { FlightQuery } from '../../models/types.ts';
import { RequestError } from '../errors.ts';
import { localDay } from '../local-day.ts';
import type { FlightParams } from '../schemas/score.ts';

export type KnownRoute = { origin: Airport; dest: Airport };

/** An airline between two airports, all known to the store. */
export type KnownService = KnownRoute & { airline: Airline };

/** A flight whose airports and airline the store knows, on a date it can say something about. */
export type KnownFlight = KnownService & {
  query: FlightQuery;
  /** Local departure time as it was asked for, `HH:MM`. */
  depTime?: string;
};

/** Dates `YYYY-MM-DD`, both included. */
export type DateRange = { first: string; last: string };

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

/** The two airports and the airline, or a 400 or 404 naming what the store does not know. */
export function knownService(
  params: { origin: string; dest: string; airline: string },
  store: ScoreStore,
): KnownService {
  const route = knownRoute(params, store);
  const airline = knownAirline(params.airline, store);
  return { ...route, airline };
}

/** The flight, or a 400 or 404 saying which parameter does not fit the store. */
export function knownFlight(params: FlightParams, store: ScoreStore, now: Date): KnownFlight {
  const service = knownService(params, store);
  checkDate(params.date, scorableDates(service.origin, store, now));
  const { dep_time: depTime } = params;
  const query = {
    origin: params.origin,
    dest: params.dest,
    carrier: params.airline,
    flightDate: params.date,
    ...crsDepHourOf(depTime),
  };
  return { ...service, query, ...(depTime !== undefined && { depTime }) };
}

/** The local hour of a departure at `HH:MM`; nothing when no time was asked for. */
export function crsDepHourOf(depTime: string | undefined): { crsDepHour?: number } {
  return depTime === undefined ? {} : { crsDepHour: Number(depTime.slice(0, 2)) };
}

/** From the first day of the history to 365 days after today at the origin. */
export function scorableDates(origin: Airport, store: ScoreStore, now: Date): DateRange {
  const { date: today, horizon } = localDay(origin.timeZone, now);
  const [firstMonth] = store.manifest.months;
  return { first: firstMonth === undefined ? today : `${firstMonth}-01`, last: horizon };
}

/** The airport a parameter names, or a 404. */
export function knownAirport(param: string, code: string, store: ScoreStore): Airport {
  const airport = store.airport(code);
  if (!airport) {
    throw new RequestError(404, 'unknown_airport', `No airport has the code ${code}.`, { param });
  }
  return airport;
}

/** The airline of a code, or a 404. */
export function knownAirline(code: string, store: ScoreStore): Airline {
  const airline = store.airline(code);
  if (airline) return airline;
  throw new RequestError(404, 'unknown_airline', `No operating airline has the code ${code}.`, {
    param: 'airline',
  });
}

function checkDate(date: string, { first, last }: DateRange): void {
  if (date < first || date > last) {
    throw new RequestError(400, 'invalid_parameter', `date must be from ${first} to ${last}.`, {
      param: 'date',
    });
  }
}
