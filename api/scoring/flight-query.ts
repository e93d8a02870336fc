import type { Airline, Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { FlightQuery } from '../../models/types.ts';
import { hourOfTime } from '../../warehouse/ground/hours.ts';
import { RequestError } from '../errors.ts';
import { localDay } from '../local-day.ts';
import type { FlightParams } from '../schemas/score.ts';
import { nameService, type KnownNumber } from './flight-number.ts';
import { airportsOfCode, busiestPair, type AirportPair } from './city-pairs.ts';

export type KnownRoute = { origin: Airport; dest: Airport };

/** An airline and two airports. The store knows all three. */
export type KnownService = KnownRoute & { airline: Airline };

/** A flight on a date that can be scored. The store knows its airports and airline. */
export type KnownFlight = KnownService & {
  query: FlightQuery;
  /** The store with the record of this route; see `forRoute`. */
  store: ScoreStore;
  /** Local departure time, `HH:MM`: the requested time, or the usual time of the flight number. */
  depTime?: string;
  /** The flight number in the request. */
  number?: KnownNumber;
};

/** First and last date of a range, both included, as `YYYY-MM-DD`. */
export type DateRange = { first: string; last: string };

/** Returns the two airports. Throws a 400 if they are equal, and a 404 if the store lacks one of them. */
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
 * Converts two codes of airports or cities to one pair of airports. If several pairs are possible, returns the pair
 * with the most flights, by the order of `sortByFlights`. Throws a 404 for an unknown code, and a 400 if no pair has
 * two different airports.
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

/** Returns the airports of a code. Throws a 404 if the code is neither an airport nor a city. */
function resolvePlace(param: string, code: string, store: ScoreStore): string[] {
  const airports = airportsOfCode(code, store);
  return airports.length > 0 ? airports : [resolveAirport(param, code, store).iata];
}

/** Returns the two airports and the airline. Throws a 400 or 404 if one of them is invalid or unknown. */
export function resolveService(
  params: { origin: string; dest: string; airline: string },
  store: ScoreStore,
): KnownService {
  const { origin, dest } = resolveRoute(params, store);
  return { origin, dest, airline: resolveAirline(params.airline, store) };
}

/** Returns the flight. Throws a 400 or 404 that names the invalid or unknown parameter. */
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
    crsDepHour: crsDepHourOf(depTime),
    isBrand: isBrandOn({ origin, dest, carrier }, store),
  };
  const flight: KnownFlight = { ...service, query, store };
  if (depTime !== undefined) flight.depTime = depTime;
  if (number) flight.number = number;
  return flight;
}

/** Returns true if other airlines operate flights for this airline on the route, otherwise undefined. */
export function isBrandOn(
  { origin, dest, carrier }: Pick<FlightQuery, 'origin' | 'dest' | 'carrier'>,
  store: ScoreStore,
): true | undefined {
  return store.brand(origin, dest, carrier) ? true : undefined;
}

/** Returns the local hour of a departure time `HH:MM`; undefined without a time. */
export function crsDepHourOf(depTime: string | undefined): number | undefined {
  return depTime === undefined ? undefined : hourOfTime(depTime);
}

/** Returns the dates that can be scored: from today at the origin to `HORIZON_DAYS` later. */
export function scorableDates(origin: Airport, now: Date): DateRange {
  const { date: today, horizon } = localDay(origin.timeZone, now);
  return { first: today, last: horizon };
}

/** Returns the airport of a parameter. Throws a 404 if the store lacks the airport. */
export function resolveAirport(param: string, code: string, store: ScoreStore): Airport {
  const airport = store.airport(code);
  if (!airport) {
    throw new RequestError(404, 'unknown_airport', `No airport has the code ${code}.`, { param });
  }
  return airport;
}

/** Returns the airline of a code. Throws a 404 if the store lacks the airline. */
export function resolveAirline(code: string, store: ScoreStore): Airline {
  const airline = store.airline(code);
  if (airline) return airline;
  throw new RequestError(404, 'unknown_airline', `No operating airline has the code ${code}.`, {
    param: 'airline',
  });
}

/**
 * Throws a 400 if the date cannot be scored. Past days cannot be scored, because the store has data from later days.
 */
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

/** Explains where callers find forecasts of past flights. */
export const PAST_HINT =
  'Past flights are not scored. /record compares past forecasts with the actual flights; the command "make backtest" forecasts past flights from the data before them.';
