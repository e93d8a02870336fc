import type { Airline, Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { FlightQuery } from '../../models/types.ts';
import { hourOfTime } from '../../warehouse/ground/hours.ts';
import { RequestError } from '../errors.ts';
import { localDay } from '../local-day.ts';
import type { FlightParams } from '../schemas/score.ts';
import { nameService, type KnownNumber } from './flight-number.ts';
import { airportsOfCode, busiestPair, type AirportPair } from './city-pairs.ts';

export type KnownRoute = { origin: Airport; dest: Airport };

/** An airline and two airports, all in the store. */
export type KnownService = KnownRoute & { airline: Airline };

/** A flight whose airports and airline are in the store, on a date that can be scored. */
export type KnownFlight = KnownService & {
  query: FlightQuery;
  /** The store of the route, from which the flight is scored; see `forRoute`. */
  store: ScoreStore;
  /** Local departure time, `HH:MM`, requested or usual for the flight number. */
  depTime?: string;
  /** The requested flight number. */
  number?: KnownNumber;
};

/** Dates `YYYY-MM-DD`, both inclusive. */
export type DateRange = { first: string; last: string };

/** Returns the two airports. Throws a 400 when they are equal, and a 404 when an airport is not in the store. */
export function resolveRoute(
  params: { origin: string; dest: string },
  store: ScoreStore,
): KnownRoute {
  if (params.origin === params.dest) throw equalEnds();
  return {
    origin: resolveAirport('origin', params.origin, store),
    dest: resolveAirport('dest', params.dest, store),
  };
}

/**
 * Returns the pair of airports with the most flights for two codes of airports or cities; see `sortByFlights`. Throws a
 * 404 for an unknown code, and a 400 when one code stands for an airport of the other.
 */
export function resolveCityPair(
  params: { origin?: string | undefined; dest?: string | undefined; airline?: string | undefined },
  store: ScoreStore,
): AirportPair {
  const { origin = '', dest = '', airline } = params;
  const pair = busiestPair(
    resolvePlace('origin', origin, store),
    resolvePlace('dest', dest, store),
    { airline, store },
  );
  if (!pair) throw equalEnds();
  return pair;
}

function equalEnds(): RequestError {
  return new RequestError(400, 'invalid_parameter', 'dest must differ from origin.', {
    param: 'dest',
  });
}

/** Returns the airports of a code; throws a 404 when the code is neither an airport nor a city. */
function resolvePlace(param: string, code: string, store: ScoreStore): string[] {
  const airports = airportsOfCode(code, store);
  return airports.length > 0 ? airports : [resolveAirport(param, code, store).iata];
}

/**
 * Returns the two airports and the airline. Throws a 400 or 404 when an airport or the airline is invalid or not in the
 * store.
 */
export function resolveService(
  params: { origin: string; dest: string; airline: string },
  store: ScoreStore,
): KnownService {
  const route = resolveRoute(params, store);
  const airline = resolveAirline(params.airline, store);
  return { ...route, airline };
}

/** Returns the flight. Throws a 400 or 404 that names the parameter that is invalid or not in the store. */
export function resolveFlight(params: FlightParams, whole: ScoreStore, now: Date): KnownFlight {
  const named = nameService(params, whole);
  const { origin, dest, airline: carrier, dep_time: depTime, number } = named;
  const store = whole.forRoute(origin, dest);
  const service = resolveService(named, store);
  const { date: flightDate } = params;
  checkDate(flightDate, scorableDates(service.origin, now));
  const query = {
    origin,
    dest,
    carrier,
    flightDate,
    ...crsDepHourOf(depTime),
    ...soldAs(named, store),
  };
  return {
    ...service,
    ...{ query, store },
    ...(depTime !== undefined && { depTime }),
    ...(number && { number }),
  };
}

/** Marks the airline of a flight as a brand if partners operate flights that it sells on the route. */
function soldAs(
  { origin, dest, airline }: { origin: string; dest: string; airline: string },
  store: ScoreStore,
): Pick<FlightQuery, 'isBrand'> {
  return store.brand(origin, dest, airline) ? { isBrand: true } : {};
}

/** Returns the local hour of a departure at `HH:MM`; an empty object without a time. */
export function crsDepHourOf(depTime: string | undefined): { crsDepHour?: number } {
  return depTime === undefined ? {} : { crsDepHour: hourOfTime(depTime) };
}

/** Returns the dates that can be scored: from today at the origin to `HORIZON_DAYS` later. */
export function scorableDates(origin: Airport, now: Date): DateRange {
  const { date: today, horizon } = localDay(origin.timeZone, now);
  return { first: today, last: horizon };
}

/** Returns the airport that a parameter names; throws a 404 when the airport is not in the store. */
export function resolveAirport(param: string, code: string, store: ScoreStore): Airport {
  const airport = store.airport(code);
  if (!airport) {
    throw new RequestError(404, 'unknown_airport', `No airport has the code ${code}.`, { param });
  }
  return airport;
}

/** Returns the airline with the code; throws a 404 when the airline is not in the store. */
export function resolveAirline(code: string, store: ScoreStore): Airline {
  const airline = store.airline(code);
  if (airline) return airline;
  throw new RequestError(404, 'unknown_airline', `No operating airline has the code ${code}.`, {
    param: 'airline',
  });
}

/** Throws a 400 for a day that cannot be scored. A score of a past day would use data from after that day. */
function checkDate(date: string, { first, last }: DateRange): void {
  if (date >= first && date <= last) return;
  const hint = date < first ? ` ${PAST_HINT}` : '';
  throw new RequestError(
    400,
    'invalid_parameter',
    `date must be from ${first} to ${last}.${hint}`,
    {
      param: 'date',
    },
  );
}

/** How to see forecasts of past flights. */
export const PAST_HINT =
  'Past flights are not scored. /record compares past forecasts with the actual flights; the command "make backtest" forecasts past flights from the data before them.';
