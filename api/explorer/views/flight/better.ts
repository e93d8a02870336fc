import { daysBetween } from '../../../../warehouse/ground/dates.ts';
import { isNoLongerSold } from '../partners.ts';
import { flightAddress, type Flight } from './address.ts';
import type { FlightData } from './flight-data.ts';

/** A change that lowers the score, with the new score and the address of that flight. */
export type BetterOption =
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

/**
 * Minimum gain for a recommendation. A smaller gain is not worth a change of plans, and may be due to rounding or
 * chance.
 */
const MIN_GAIN_POINTS = 3;
/** Number of days before and after the flight that are considered. */
export const NEAR_DAYS = 3;
/** An airline with fewer flights on record is not recommended. */
const MIN_RECORD_FLIGHTS = 100;
/** Flights in an hour with a smaller share of the airline's flights are hardly ever on sale. */
const MIN_HOUR_SHARE = 0.01;

/** Returns the flight that the data describe. */
export function flightOf({ score }: Pick<FlightData, 'score'>): Flight {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  return { origin, dest: destination, airline, date: flight_date, depTime: dep_time };
}

/**
 * Returns the best hour, airline and nearby day, largest gain first. Omits those whose score is not clearly lower: inside
 * the interval of the flight's own score, the difference may be uncertainty.
 */
export function findBetterOptions(data: FlightData): BetterOption[] {
  const { score, interval } = data.score;
  const highest = Math.min(score - MIN_GAIN_POINTS, (interval?.low ?? score) - 1);
  return [bestHour(data), bestAirline(data), bestDay(data)]
    .filter((better) => better !== undefined)
    .filter((better) => better.score <= highest)
    .toSorted((a, b) => a.score - b.score);
}

function bestHour(data: FlightData): BetterOption | undefined {
  const flownHours = data.score.by_hour.filter(
    ({ hour }) => (data.hours?.[hour] ?? 0) >= MIN_HOUR_SHARE,
  );
  const [best] = flownHours.toSorted((a, b) => a.score - b.score || a.hour - b.hour);
  if (!best) return undefined;
  const depTime = hourToTime(best.hour);
  return { kind: 'hour', ...best, address: flightAddress({ ...flightOf(data), depTime }) };
}

function bestAirline(data: FlightData): BetterOption | undefined {
  const flight = flightOf(data);
  const best = data.rivals.find(
    ({ airline, total_flights, is_current }) =>
      is_current &&
      !isNoLongerSold(airline) &&
      airline !== flight.airline &&
      total_flights >= MIN_RECORD_FLIGHTS,
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

function bestDay(data: FlightData): BetterOption | undefined {
  const flight = flightOf(data);
  const nearDays = data.months
    .flatMap(({ days }) => days)
    .flatMap(({ date, score }) => (score === null || date < data.today ? [] : [{ date, score }]))
    .filter(({ date }) => Math.abs(daysBetween(flight.date, date)) <= NEAR_DAYS);
  const distance = (date: string) => Math.abs(daysBetween(flight.date, date));
  const [best] = nearDays.toSorted(
    (a, b) => a.score - b.score || distance(a.date) - distance(b.date),
  );
  return best && { kind: 'day', ...best, address: flightAddress({ ...flight, date: best.date }) };
}

/** Formats an hour as a departure time: `06:00`. */
export function hourToTime(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
