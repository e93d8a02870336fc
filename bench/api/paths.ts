import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import type { Random } from '../generate/random.ts';
import type { Flight } from './synthetic-store.ts';

/** Flights are requested for dates up to this many days ahead. */
const DAYS_AHEAD = 330;
const FIXED_PATHS = 2_000;
const BATCH = 50;

/** Step in the table of flights from one path to the next. The number is prime, so that every flight is reached. */
const STRIDE = 24_593;

type Query = { flight: Flight; date: string; depTime?: string };

/**
 * Returns the same paths of `/api/score` on each call. Eight of every ten flights are flown by the requested airline,
 * one is flown only by another airline, and one is flown by no airline.
 */
export function fixedPaths(flights: Flight[], apiKey: string): string[] {
  return Array.from({ length: FIXED_PATHS }, (_, at) => {
    const flight = { ...pick(flights, at) };
    if (at % 10 === 8) flight.carrier = pick(flights, at + 1).carrier;
    if (at % 10 === 9) flight.dest = pick(flights, at + 2).origin;
    return scorePath({ flight, date: dayAhead(1 + (at % DAYS_AHEAD)) }, apiKey);
  });
}

/**
 * Draws queries like those of real users: airline-routes by Zipf's law, any day, and an hour for half of the queries.
 */
export function drawQueries(flights: Flight[], random: Random): () => Query {
  const sums = new Float64Array(flights.length);
  for (let rank = 0; rank < sums.length; rank++) {
    sums[rank] = (sums[rank - 1] ?? 0) + 1 / (rank + 1);
  }
  const total = sums.at(-1) ?? 0;
  return () => {
    const flight = pick(flights, findRank(sums, random.next() * total));
    const date = dayAhead(1 + random.below(DAYS_AHEAD));
    const hour = String(5 + random.below(19)).padStart(2, '0');
    return { flight, date, ...(random.below(2) === 0 && { depTime: `${hour}:00` }) };
  };
}

export function scorePath({ flight, date, depTime }: Query, apiKey: string): string {
  const { origin, dest, carrier: airline } = flight;
  const hour = depTime === undefined ? '' : `&dep_time=${encodeURIComponent(depTime)}`;
  return `/api/score?${new URLSearchParams({ origin, dest, airline, date, api_key: apiKey })}${hour}`;
}

/** Returns the path of a batch of 50 different flights. */
export function batchPath(nextQuery: () => Query, apiKey: string): string {
  const codes = new Set<string>();
  while (codes.size < BATCH) {
    const { flight, date } = nextQuery();
    codes.add(`${flight.origin}-${flight.dest}-${flight.carrier}-${date}`);
  }
  return `/api/score/batch?flights=${[...codes].join(',')}&api_key=${apiKey}`;
}

/** Returns the path of the calendar month of a flight. */
export function calendarPath({ flight, date }: Query, apiKey: string): string {
  const { origin, dest, carrier: airline } = flight;
  const month = date.slice(0, 7);
  return `/api/calendar?${new URLSearchParams({ origin, dest, airline, month, api_key: apiKey })}`;
}

/** Returns the first index whose cumulative sum is above the value, by binary search. */
function findRank(sums: Float64Array, value: number): number {
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
