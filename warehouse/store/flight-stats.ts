import type { Columns } from './arrow.ts';
import { codesNumber, numberAfterRow, START } from './code-number.ts';
import { createNumberIndex } from './number-index.ts';
import type { FlightStats } from './types.ts';

/** Rows of a table that has one for each route; -1 where it has none. */
export function rowsByRoute(columns: Columns): (origin: string, dest: string) => number {
  const [origins, dests] = [columns.bytes('origin'), columns.bytes('dest')];
  const rows = createNumberIndex(columns.rowCount);
  for (let row = 0; row < columns.rowCount; row++) {
    rows.set(numberAfterRow(numberAfterRow(START, origins, row), dests, row), row);
  }
  return (origin, dest) => rows.get(codesNumber(origin, dest));
}

/** Reader of flight statistics; undefined for -1, which is no row. */
export function statsReader(columns: Columns): (row: number) => FlightStats | undefined {
  const figures = rowByRow(columns, FIGURES);
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

/** In the order in which they are read above. */
const FIGURES = [
  'flight_count',
  'completed_count',
  'delayed_count',
  'cancelled_count',
  'delayed_min_sum',
  'delayed_rate',
  'cancelled_rate',
];

/** The columns laid out row after row: a look-up reads one place of the memory instead of seven. */
function rowByRow(columns: Columns, names: string[]): Float64Array {
  const values = new Float64Array(columns.rowCount * names.length);
  for (const [at, name] of names.entries()) {
    const column = columns.numbers(name);
    for (let row = 0; row < column.length; row++) {
      values[row * names.length + at] = column[row] as number;
    }
  }
  return values;
}
