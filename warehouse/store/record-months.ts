import type { Columns } from './arrow.ts';
import type { RecordMonths } from './types.ts';

/**
 * Returns a function that reads the first and last month of a record by row number. The result is undefined for row -1
 * and if the table is empty.
 */
export function recordMonthsReader(columns: Columns): (row: number) => RecordMonths | undefined {
  const first = Int16Array.from(columns.numbers('first_month'));
  const last = Int16Array.from(columns.numbers('last_month'));
  return (row) => {
    if (row === -1 || row >= first.length) return undefined;
    return {
      first: monthAfter1970(first[row] as number),
      last: monthAfter1970(last[row] as number),
    };
  };
}

/** Returns the first and last month of several records together; undefined without records. */
export function spanOfRecords(records: readonly RecordMonths[]): RecordMonths | undefined {
  const months = records.flatMap(({ first, last }) => [first, last]).toSorted();
  const [first, last] = [months[0], months.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Formats a number of months since January 1970 as `YYYY-MM`. */
export function monthAfter1970(number: number): string {
  const month = 1 + (number % 12);
  return `${1970 + Math.floor(number / 12)}-${month < 10 ? '0' : ''}${month}`;
}
