import type { Columns } from './arrow.ts';
import { numberToCodes, appendCodeAt, EMPTY_CODES } from './code-number.ts';
import { routeRowsOf } from './route-rows.ts';
import type { ScoreStore } from './types.ts';
import { HOURS } from '../ground/hours.ts';

const DAY_HOURS = HOURS.length;

/** Returns functions that look up congestion by airport, month and weekday: for the whole day, and for each hour. */
export function congestionByDay(
  columns: Columns,
): Pick<ScoreStore, 'congestion' | 'congestionByHour'> {
  const months = columns.numbers('month_of_year');
  const weekdays = columns.numbers('weekday');
  const congestion = columns.numbers('congestion');
  const hours = columns.lists('hours').values;
  const airports = columns.bytes('airport');
  const rowsOf = new Map<string, Int32Array>();
  let number = 0;
  let rows = new Int32Array();
  for (let row = 0; row < columns.rowCount; row++) {
    const before = number;
    number = appendCodeAt(EMPTY_CODES, airports, row);
    // Rows are sorted by airport, so the code needs to be converted to text only when it changes.
    if (number !== before) {
      rows = new Int32Array(DAY_KINDS).fill(NO_ROW);
      rowsOf.set(numberToCodes(number), rows);
    }
    rows[dayKind(months[row] as number, weekdays[row] as number)] = row;
  }
  const rowOf = (iata: string, month: number, weekday: number) =>
    rowsOf.get(iata)?.[dayKind(month, weekday)] ?? NO_ROW;
  return {
    congestion: (iata, month, weekday) => {
      const row = rowOf(iata, month, weekday);
      return row === NO_ROW ? undefined : congestion[row];
    },
    congestionByHour: (iata, month, weekday) => hoursAt(rowOf(iata, month, weekday), hours),
  };
}

/** Number of combinations of month and weekday. */
const DAY_KINDS = 12 * 7;
const NO_ROW = -1;

/** Returns the number of a combination of month (1 to 12) and weekday (1 to 7), from 0. */
function dayKind(month: number, weekday: number): number {
  return (month - 1) * 7 + (weekday - 1);
}

/**
 * Returns a function that looks up flights by departure hour, for an airline-route or for a route. For a route, each
 * call adds up the flights of all airlines on it.
 */
export function departureHours(columns: Columns): ScoreStore['departureHours'] {
  const hours = columns.lists('hours').values;
  const { rowOf, spanOf } = routeRowsOf(columns);
  const sumOfRoute = (origin: string, dest: string): Float32Array | undefined => {
    const [from, until] = spanOf(origin, dest);
    if (from === until) return undefined;
    const sums = hours.slice(from * DAY_HOURS, (from + 1) * DAY_HOURS);
    for (let at = (from + 1) * DAY_HOURS; at < until * DAY_HOURS; at++) {
      sums[at % DAY_HOURS] = (sums[at % DAY_HOURS] as number) + (hours[at] as number);
    }
    return sums;
  };
  return (origin, dest, carrier) =>
    carrier === undefined ? sumOfRoute(origin, dest) : hoursAt(rowOf(origin, dest, carrier), hours);
}

function hoursAt(row: number, hours: Float32Array): Float32Array | undefined {
  return row === NO_ROW ? undefined : hours.subarray(row * DAY_HOURS, (row + 1) * DAY_HOURS);
}
