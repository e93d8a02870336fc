import type { Columns } from './arrow.ts';
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
  const rowOf = new Map(
    columns
      .text('airport')
      .map((iata, row): [string, number] => [`${iata}${months[row]}-${weekdays[row]}`, row]),
  );
  return {
    congestion: (iata, month, weekday) => {
      const row = rowOf.get(`${iata}${month}-${weekday}`);
      return row === undefined ? undefined : congestion[row];
    },
    congestionByHour: (iata, month, weekday) => {
      const row = rowOf.get(`${iata}${month}-${weekday}`);
      return row === undefined ? undefined : hours(row);
    },
  };
}

/** Look-up of the flights in each departure hour, of an airline-route or of a whole route. */
export function departureHours(columns: Columns): ScoreStore['departureHours'] {
  const origins = columns.text('origin');
  const dests = columns.text('dest');
  const hours = hoursOf(columns);
  const rowOf = new Map<string, number>();
  const routes = new Map<string, Float32Array>();
  for (const [row, carrier] of columns.text('carrier').entries()) {
    const route = `${origins[row]}${dests[row]}`;
    rowOf.set(route + carrier, row);
    routes.set(route, sumOf(hours(row), routes.get(route)));
  }
  return (origin, dest, carrier) => {
    if (carrier === undefined) return routes.get(origin + dest);
    const row = rowOf.get(origin + dest + carrier);
    return row === undefined ? undefined : hours(row);
  };
}

/** The hour columns laid out row after row, so that a row's hours are one view without a copy. */
function hoursOf(columns: Columns): (row: number) => Float32Array {
  const values = new Float32Array(columns.rowCount * HOURS);
  for (const [hour, name] of HOUR_COLUMNS.entries()) {
    const column = columns.numbers(name);
    for (let row = 0; row < column.length; row++) {
      values[row * HOURS + hour] = column[row] as number;
    }
  }
  return (row) => values.subarray(row * HOURS, (row + 1) * HOURS);
}

function sumOf(hours: Float32Array, others: Float32Array | undefined): Float32Array {
  return others ? hours.map((value, hour) => value + (others[hour] ?? 0)) : hours;
}
