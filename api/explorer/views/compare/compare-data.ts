import type { BetterFlight, FullScore } from '../flight/flight-data.ts';
import type { Flight } from '../flight/address.ts';

/** A score, with the optional parts that the comparison shows. */
export type ComparedScore = Omit<FullScore, 'by_hour' | 'blend' | 'news'>;

/** The data of the comparison of flights. */
export type CompareData = {
  /** Answers of `/api/score`, in the order of the address. Empty until a visitor enters flights. */
  flights: ComparedScore[];
  /** Better options of the first flight that are not compared yet. */
  suggestions: BetterFlight[];
};

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
