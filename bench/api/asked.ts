import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import type { Random } from '../generate/random.ts';
import type { Flight } from './synthetic-store.ts';

/** Days ahead that flights are asked for. */
const DAYS_AHEAD = 330;
const KNOWN = 2_000;
const BATCH = 50;

/** Puts neighbours in the table far apart; prime, so that every flight has its turn. */
const STRIDE = 24_593;

/** As one asks for. */
type Asked = { flight: Flight; date: string; depTime?: string };

/**
 * `/api/score` of a few flights: eight in ten are flown by the airline, one by another airline only, one by nobody.
 */
export function knownPaths(flights: Flight[], apiKey: string): string[] {
  return Array.from({ length: KNOWN }, (_, at) => {
    const flight = { ...pick(flights, at) };
    if (at % 10 === 8) flight.carrier = pick(flights, at + 1).carrier;
    if (at % 10 === 9) flight.dest = pick(flights, at + 2).origin;
    return scorePath({ flight, date: dayAhead(1 + (at % DAYS_AHEAD)) }, apiKey);
  });
}

/** What users ask for: any airline-route by Zipf's law, any day, half with the hour. */
export function userFlights(flights: Flight[], random: Random): () => Asked {
  const sums = new Float64Array(flights.length);
  for (let rank = 0; rank < sums.length; rank++) {
    sums[rank] = (sums[rank - 1] ?? 0) + 1 / (rank + 1);
  }
  const total = sums.at(-1) ?? 0;
  return () => {
    const flight = pick(flights, rankAt(sums, random.next() * total));
    const date = dayAhead(1 + random.below(DAYS_AHEAD));
    const hour = String(5 + random.below(19)).padStart(2, '0');
    return { flight, date, ...(random.below(2) === 0 && { depTime: `${hour}:00` }) };
  };
}

export function scorePath({ flight, date, depTime }: Asked, apiKey: string): string {
  const { origin, dest, carrier: airline } = flight;
  const hour = depTime === undefined ? '' : `&dep_time=${encodeURIComponent(depTime)}`;
  return `/api/score?${new URLSearchParams({ origin, dest, airline, date, api_key: apiKey })}${hour}`;
}

/** Fifty flights of one's own. */
export function batchPath(ask: () => Asked, apiKey: string): string {
  const codes = new Set<string>();
  while (codes.size < BATCH) {
    const { flight, date } = ask();
    codes.add(`${flight.origin}-${flight.dest}-${flight.carrier}-${date}`);
  }
  return `/api/score/batch?flights=${[...codes].join(',')}&api_key=${apiKey}`;
}

/** The month of a flight. */
export function calendarPath({ flight, date }: Asked, apiKey: string): string {
  const { origin, dest, carrier: airline } = flight;
  const month = date.slice(0, 7);
  return `/api/calendar?${new URLSearchParams({ origin, dest, airline, month, api_key: apiKey })}`;
}

/** The first place whose sum is above the value, by halving. */
function rankAt(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pick(flights: Flight[], at: number): Flight {
  return flights[(at * STRIDE) % flights.length] as Flight;
}

function dayAhead(days: number): string {
  return addDays(dateAt(Date.now()), days);
}
