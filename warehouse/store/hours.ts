import type { Columns } from './arrow.ts';
import { codesNumber, numberAfterRow, START } from './code-number.ts';
import { rowsByCodes } from './flight-stats.ts';
import { createNumberIndex } from './number-index.ts';
import { HOUR_COLUMNS } from './tables.ts';
import type { ScoreStore } from './types.ts';

const HOURS = HOUR_COLUMNS.length;

/** Look-ups of congestion by airport, month and weekday: of all hours, and of each. */
export function congestionByDay(
  columns: Columns,
): Pick<ScoreStore, 'congestion' | 'congestionByHour'> {
  const months = columns.numbers('month_of_year');
  const weekdays = columns.numbers('weekday');
  const congestion = columns.numbers('congestion');
  const hours = hoursOf(columns);
  const rowsOf = new Map<string, Int32Array>();
  for (const [row, iata] of columns.text('airport').entries()) {
    const rows = rowsOf.get(iata) ?? new Int32Array(DAY_KINDS).fill(NO_ROW);
    rows[dayKind(months[row] as number, weekdays[row] as number)] = row;
    rowsOf.set(iata, rows);
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

/** Weekdays of months: Mondays of January, and so on. */
const DAY_KINDS = 12 * 7;
const NO_ROW = -1;

/** Place of the weekday (1 to 7) in that month (1 to 12) among all such. */
function dayKind(month: number, weekday: number): number {
  return (month - 1) * 7 + (weekday - 1);
}

/** Look-up of the flights in each departure hour, of an airline-route or of a whole route. */
export function departureHours(columns: Columns): ScoreStore['departureHours'] {
  const origins = columns.bytes('origin');
  const dests = columns.bytes('dest');
  const hours = hoursOf(columns);
  const routeHours = new Float32Array(hours.length);
  const airlineRoutes = rowsByCodes(columns, true);
  const routes = createNumberIndex();
  for (let row = 0; row < columns.rowCount; row++) {
    const route = numberAfterRow(numberAfterRow(START, origins, row), dests, row);
    let routeRow = routes.get(route);
    if (routeRow === NO_ROW) {
      routeRow = routes.size();
      routes.set(route, routeRow);
    }
    for (let hour = 0; hour < HOURS; hour++) {
      const at = routeRow * HOURS + hour;
      routeHours[at] = (routeHours[at] as number) + (hours[row * HOURS + hour] as number);
    }
  }
  const ofRoutes = routeHours.slice(0, routes.size() * HOURS);
  return (origin, dest, carrier) =>
    carrier === undefined
      ? hoursAt(routes.get(codesNumber(origin, dest)), ofRoutes)
      : hoursAt(airlineRoutes.rowOf(origin, dest, carrier), hours);
}

/** The hour columns laid out row after row, so that a row's hours are one view without a copy. */
function hoursOf(columns: Columns): Float32Array {
  const values = new Float32Array(columns.rowCount * HOURS);
  for (const [hour, name] of HOUR_COLUMNS.entries()) {
    const column = columns.numbers(name);
    for (let row = 0; row < column.length; row++) {
      values[row * HOURS + hour] = column[row] as number;
    }
  }
  return values;
}

function hoursAt(row: number, hours: Float32Array): Float32Array | undefined {
  return row === NO_ROW ? undefined : hours.subarray(row * HOURS, (row + 1) * HOURS);
}
