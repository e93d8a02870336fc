import type { Columns } from './arrow.ts';
import type { FlightStats } from './types.ts';

/** The row of each key: the joined codes of the key columns, for example `JFKLAXDL`. */
export function rowsByKey(columns: Columns, keyColumns: string[]): Map<string, number> {
  const keys = keyColumns.map((name) => columns.text(name));
  const rowOf = new Map<string, number>();
  for (let row = 0; row < columns.rowCount; row++) {
    let key = '';
    for (const codes of keys) key += codes[row];
    rowOf.set(key, row);
  }
  return rowOf;
}

/** Look-up of flight statistics by key. */
export function statsReader(
  columns: Columns,
  rowOf: Map<string, number>,
): (key: string) => FlightStats | undefined {
  const figures = rowByRow(columns, FIGURES);
  return (key) => {
    const row = rowOf.get(key);
    if (row === undefined) return undefined;
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
