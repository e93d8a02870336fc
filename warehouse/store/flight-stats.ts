import type { Columns } from './arrow.ts';
import { codesToNumber, appendCodeAt, EMPTY_CODES } from './code-number.ts';
import { createNumberIndex } from './number-index.ts';
import type { FlightStats } from './types.ts';

/** Returns a function that looks up the row number of a route; -1 for an unknown route. */
export function rowsByRoute(columns: Columns): (origin: string, dest: string) => number {
  const [origins, dests] = [columns.bytes('origin'), columns.bytes('dest')];
  const rows = createNumberIndex(columns.rowCount);
  for (let row = 0; row < columns.rowCount; row++) {
    rows.set(appendCodeAt(appendCodeAt(EMPTY_CODES, origins, row), dests, row), row);
  }
  return (origin, dest) => rows.get(codesToNumber(origin, dest));
}

/** Returns a function that reads flight statistics by row number; undefined for row -1. */
export function statsReader(columns: Columns): (row: number) => FlightStats | undefined {
  const figures = storeRowByRow(columns, FIGURES);
  return (row) => {
    if (row === -1) return undefined;
    const at = row * FIGURES.length;
    return {
      flightCount: figures[at] as number,
      completedCount: figures[at + 1] as number,
      delayedCount: figures[at + 2] as number,
      cancelledCount: figures[at + 3] as number,
      delayedMinSum: figures[at + 4] as number,
      delayedRate: figures[at + 5] as number,
      cancelledRate: figures[at + 6] as number,
    };
  };
}

/** Names of the columns, in the order in which `statsReader` reads them. */
const FIGURES = [
  'flight_count',
  'completed_count',
  'delayed_count',
  'cancelled_count',
  'delayed_min_sum',
  'delayed_rate',
  'cancelled_rate',
];

/** Stores the values of a row next to each other, so that reading a row needs one place in memory instead of seven. */
function storeRowByRow(columns: Columns, names: string[]): Float64Array {
  const values = new Float64Array(columns.rowCount * names.length);
  for (const [at, name] of names.entries()) {
    const column = columns.numbers(name);
    for (let row = 0; row < column.length; row++) {
      values[row * names.length + at] = column[row] as number;
    }
  }
  return values;
}
