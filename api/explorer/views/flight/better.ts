import { daysBetween } from '../../../../warehouse/ground/dates.ts';
import { sellsNoMore } from '../partners.ts';
import { flightAddress, type Flight } from './address.ts';
import type { FlightData } from './flight-data.ts';

/** A change that lowers the score: to what, and where it is shown. */
export type Better =
  | { kind: 'hour'; hour: number; score: number; address: string }
  | {
      kind: 'airline';
      airline: string;
      name: string;
      until: string | undefined;
      score: number;
      address: string;
    }
  | { kind: 'day'; date: string; score: number; address: string };

/** Fewer points are not worth a change of plans, and within what rounding and chance do. */
const WORTH_POINTS = 3;
/** Days either way that count as near. */
export const NEAR_DAYS = 3;
/** A record of fewer flights is not advised, nor is an airline that has probably left the route. */
const RECORD_FLIGHTS = 100;
/** An hour with less of the flights is hardly on sale. */
const HOUR_SHARE = 0.01;

/** The flight the data are of. */
export function flightOf({ score }: Pick<FlightData, 'score'>): Flight {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  return { origin, dest: destination, airline, date: flight_date, depTime: dep_time };
}

/** What would be better than the flight: the best hour, airline and day near it, where they are worth it. */
export function betterOf(data: FlightData): Better[] {
  return [bestHour(data), bestAirline(data), bestDay(data)].filter(
    (better) => better !== undefined && data.score.score - better.score >= WORTH_POINTS,
  ) as Better[];
}

function bestHour(data: FlightData): Better | undefined {
  const flown = data.score.by_hour.filter(({ hour }) => (data.hours?.[hour] ?? 0) >= HOUR_SHARE);
  const [best] = flown.toSorted((a, b) => a.score - b.score || a.hour - b.hour);
  if (!best) return undefined;
  const depTime = timeOf(best.hour);
  return { kind: 'hour', ...best, address: flightAddress({ ...flightOf(data), depTime }) };
}

function bestAirline(data: FlightData): Better | undefined {
  const flight = flightOf(data);
  const best = data.rivals.find(
    ({ airline, total_flights, is_current }) =>
      is_current &&
      !sellsNoMore(airline) &&
      airline !== flight.airline &&
      total_flights >= RECORD_FLIGHTS,
  );
  if (!best) return undefined;
  const { airline, airline_name, score, record } = best;
  return {
    kind: 'airline',
    airline,
    name: airline_name,
    until: record?.last,
    score,
    address: flightAddress({ ...flight, airline }),
  };
}

function bestDay(data: FlightData): Better | undefined {
  const flight = flightOf(data);
  const near = data.months
    .flatMap(({ days }) => days)
    .flatMap(({ date, score }) => (score === null || date < data.today ? [] : [{ date, score }]))
    .filter(({ date }) => Math.abs(daysBetween(flight.date, date)) <= NEAR_DAYS);
  const distance = (date: string) => Math.abs(daysBetween(flight.date, date));
  const [best] = near.toSorted((a, b) => a.score - b.score || distance(a.date) - distance(b.date));
  return best && { kind: 'day', ...best, address: flightAddress({ ...flight, date: best.date }) };
}

/** The full hour as a departure time. */
export function timeOf(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
