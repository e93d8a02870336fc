import type { Columns } from './arrow.ts';
import type { FlightStats } from './types.ts';

/** Look-up of flight statistics by the joined codes of the key columns, for example `JFKLAXDL`. */
export function statsReader(
  columns: Columns,
  keyColumns: string[],
): (key: string) => FlightStats | undefined {
  const keys = keyColumns.map((name) => columns.text(name));
  const rowOf = new Map<string, number>();
  for (let row = 0; row < columns.rowCount; row++) {
    rowOf.set(keys.map((codes) => codes[row]).join(''), row);
  }
  const flightCount = columns.numbers('flight_count');
  const completedCount = columns.numbers('completed_count');
  const delayedCount = columns.numbers('delayed_count');
  const cancelledCount = columns.numbers('cancelled_count');
  const delayedMinSum = columns.numbers('delayed_min_sum');
  const delayedRate = columns.numbers('delayed_rate');
  const cancelledRate = columns.numbers('cancelled_rate');
  return (key) => {
    const row = rowOf.get(key);
    if (row === undefined) return undefined;
    return {
      flightCount: flightCount[row] as number,
      completedCount: completedCount[row] as number,
      delayedCount: delayedCount[row] as number,
      cancelledCount: cancelledCount[row] as number,
      delayedMinSum: delayedMinSum[row] as number,
      delayedRate: delayedRate[row] as number,
      cancelledRate: cancelledRate[row] as number,
    };
  };
}
