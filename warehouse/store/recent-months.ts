import type { Columns } from './arrow.ts';
import { monthAfter1970 } from './record-months.ts';
import type { RecentMonth } from './recent-month.ts';

/**
 * Returns a function that looks up months of the delay-cause table by airline or arrival airport. The result is empty
 * if the table does not have the airline or airport.
 */
export function recentMonthsReader(
  columns: Columns,
): (kind: 'carrier' | 'dest', code: string) => RecentMonth[] {
  const codes = columns.text('code');
  const rowsOf = new Map<string, number[]>();
  for (const [row, kind] of columns.text('kind').entries()) {
    const key = `${kind} ${codes[row]}`;
    const rows = rowsOf.get(key);
    if (rows) rows.push(row);
    else rowsOf.set(key, [row]);
  }
  const months = columns.numbers('month');
  const counts = FIGURES.map((name) => columns.numbers(name));
  return (kind, code) =>
    (rowsOf.get(`${kind} ${code}`) ?? []).map((row) => {
      const [flightCount, delayed15Count, cancelledCount, divertedCount] = counts.map(
        (column) => column[row],
      );
      const figures = { flightCount, delayed15Count, cancelledCount, divertedCount };
      return { month: monthAfter1970(months[row] as number), ...figures } as RecentMonth;
    });
}

const FIGURES = ['flight_count', 'delayed15_count', 'cancelled_count', 'diverted_count'];
