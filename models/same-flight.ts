import { memoizeLast } from '../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** A flight on any day: an airline on a route, in an hour or at any time. */
export type UndatedFlight = Omit<FlightQuery, 'flightDate'>;

/**
 * Memoizes a fact for the last flight. The fact must not depend on the date. All steps of a score need the same facts,
 * and so do all days of a calendar.
 */
export function memoizeUndated<T>(work: (flight: UndatedFlight, store: ScoreStore) => T) {
  return memoizeLast(isSameUndated, work);
}

/** Memoizes a fact for the last flight and date. */
export function memoizeFlight<T>(work: (query: FlightQuery, store: ScoreStore) => T) {
  return memoizeLast(isSameFlight, work);
}

function isSameUndated(a: UndatedFlight, b: UndatedFlight): boolean {
  return (
    a === b ||
    (a.origin === b.origin &&
      a.dest === b.dest &&
      a.carrier === b.carrier &&
      a.crsDepHour === b.crsDepHour &&
      a.isBrand === b.isBrand)
  );
}

function isSameFlight(a: FlightQuery, b: FlightQuery): boolean {
  return a === b || (a.flightDate === b.flightDate && isSameUndated(a, b));
}
