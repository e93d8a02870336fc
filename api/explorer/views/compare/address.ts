import type { Flight } from '../flight/address.ts';

/** Formats a flight as in `/api/score/batch`: `JFK-LAX-DL-2026-12-21T18:30`. */
export function flightText({ origin, dest, airline, date, depTime }: Flight): string {
  return `${origin}-${dest}-${airline}-${date}${depTime === undefined ? '' : `T${depTime}`}`;
}

/** Returns `/compare?flights=JFK-LAX-DL-2026-12-21T18:30,JFK-LAX-AA-2026-12-21`. */
export function compareAddress(flights: readonly Flight[]): string {
  return flights.length === 0
    ? '/compare'
    : `/compare?flights=${flights.map(flightText).join(',')}`;
}
